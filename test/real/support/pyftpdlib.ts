/** pyftpdlib: what people start from a shell for an hour; Python, one process. Has MLSD. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Bundle } from "./packages.ts";
import { type Command, listenAddress, nobody, type Setting, type TlsOptions } from "./server.ts";

const openSslPackages = ["python3-openssl", "python3-cryptography", "python3-cffi-backend"];

export const bundle: Bundle = {
  name: "pyftpdlib-tls",
  get packages() {
    return ["python3-pyftpdlib", ...openSslPackages, ...asyncorePackages()];
  },
  objects: [],
};

/** A program of a few lines; both users are shut into the tree. */
export function command(setting: Setting): Command {
  return {
    file: "/usr/bin/python3",
    args: ["-W", "ignore", "-c", program(setting).join("\n")],
    env: { PYTHONPATH: join(setting.program, "usr/lib/python3/dist-packages") },
    // The certificate's key is root's.
    ...(setting.options.tls ? {} : { uid: nobody }),
  };
}

function program({ root, port, account, options }: Setting): string[] {
  const home = pythonText(root);
  const base = options.tls ? "TLS_FTPHandler" : "FTPHandler";
  return [
    "from pyftpdlib.authorizers import DummyAuthorizer",
    `from pyftpdlib.handlers import ${base}`,
    "from pyftpdlib.servers import FTPServer",
    `class Handler(${base}):`,
    "  authorizer = DummyAuthorizer()",
    "  auth_failed_timeout = 0",
    `Handler.authorizer.add_anonymous(${home})`,
    `Handler.authorizer.add_user(${pythonText(account.user)}, ${pythonText(account.password)}, ${home})`,
    ...(options.tls ? tlsStatements(options.tls) : []),
    ...(options.config ?? []),
    `FTPServer((${pythonText(listenAddress(options))}, ${port}), Handler).serve_forever()`,
  ];
}

function tlsStatements({ cert, key, force = false }: TlsOptions): string[] {
  const required = force ? "True" : "False";
  return [
    `Handler.certfile = ${pythonText(cert)}`,
    `Handler.keyfile = ${pythonText(key)}`,
    `Handler.tls_control_required = Handler.tls_data_required = ${required}`,
  ];
}

/** Python 3.12 dropped the modules that pyftpdlib stands on; Debian has packages for them. */
function asyncorePackages(): string[] {
  try {
    execFileSync("/usr/bin/python3", ["-W", "ignore", "-c", "import asyncore, asynchat"], {
      stdio: "ignore",
    });
    return [];
  } catch {
    return ["python3-pyasyncore", "python3-pyasynchat"];
  }
}

/** JSON's texts are Python's too. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}

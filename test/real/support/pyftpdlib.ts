/** pyftpdlib: what people start from a shell for an hour; Python, one process. Has MLSD. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Bundle } from "./packages.ts";
import { type Command, nobody, type Setting } from "./server.ts";

export const bundle: Bundle = {
  name: "pyftpdlib",
  get packages() {
    return ["python3-pyftpdlib", ...asyncorePackages()];
  },
  objects: [],
};

/** A program of a few lines; both users are shut into the tree. */
export function command(setting: Setting): Command {
  if (setting.options.tls) throw new Error("Debian's pyftpdlib has no working TLS");
  return {
    file: "/usr/bin/python3",
    args: ["-W", "ignore", "-c", program(setting).join("\n")],
    env: { PYTHONPATH: join(setting.program, "usr/lib/python3/dist-packages") },
    uid: nobody,
  };
}

function program({ root, port, account, options }: Setting): string[] {
  const home = pythonText(root);
  return [
    "from pyftpdlib.authorizers import DummyAuthorizer",
    "from pyftpdlib.handlers import FTPHandler",
    "from pyftpdlib.servers import FTPServer",
    "class Handler(FTPHandler):",
    "  authorizer = DummyAuthorizer()",
    "  auth_failed_timeout = 0",
    `Handler.authorizer.add_anonymous(${home})`,
    `Handler.authorizer.add_user(${pythonText(account.user)}, ${pythonText(account.password)}, ${home})`,
    ...(options.config ?? []),
    `FTPServer(("127.0.0.1", ${port}), Handler).serve_forever()`,
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

/**
 * Real FTP servers for tests: `prepareServers` gets their programs and the tree of files,
 * `realServer` starts one of them on loopback, with everything it writes in a temporary
 * directory of its own. Nothing is installed, and no file of the system is changed.
 */
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removePamFolder } from "./accounts.ts";
import { freePort } from "../../support/ports.ts";
import { type Daemon, startDaemon } from "./daemon.ts";
import { type Bundle, unpack } from "./packages.ts";
import * as proftpd from "./proftpd.ts";
import * as pureFtpd from "./pure-ftpd.ts";
import * as pyftpdlib from "./pyftpdlib.ts";
import { account, type Command, type ServerOptions, type Setting } from "./server.ts";
import { testTree } from "./tree.ts";
import * as vsftpd from "./vsftpd.ts";

export type ServerKind = "vsftpd" | "proftpd" | "pure-ftpd" | "pyftpdlib";

export interface Login {
  readonly user: string;
  readonly password?: string;
}

export interface RealServer {
  readonly kind: ServerKind;
  readonly port: number;
  /** The tree on this machine. */
  readonly root: string;
  /** Where the named user finds the tree when paths begin at the server's root. */
  readonly absoluteRoot: string;
  readonly account: Required<Login>;
  /** A URL; `path` is encoded already and begins with "/", `login` is plain text. */
  url(path: string, login?: Login): string;
  /** What the server wrote to its log and printed: for the message of a test that fails. */
  log(): string;
  close(): Promise<void>;
}

interface Program {
  readonly bundle: Bundle;
  readonly command: (setting: Setting) => Command;
  /** Whether the named user sees the machine's own paths. */
  readonly open?: boolean;
}

const programs: Readonly<Record<ServerKind, Program>> = {
  vsftpd,
  proftpd: { ...proftpd, open: true },
  "pure-ftpd": { ...pureFtpd, open: true },
  pyftpdlib,
};

export const serverKinds = ["vsftpd", "proftpd", "pure-ftpd", "pyftpdlib"] as const;

/**
 * Gets what the servers need into the cache, and tells which of them can be started. Where one
 * can't, standard error says why; with CI=true in the environment that is an error.
 */
export async function prepareServers(): Promise<ReadonlySet<ServerKind>> {
  const ready = new Set<ServerKind>();
  for (const kind of serverKinds) {
    try {
      await prepare(kind);
      ready.add(kind);
    } catch (error) {
      if (process.env["CI"] === "true") throw error;
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`\nSKIPPED: all tests against the real ${kind}: ${reason}\n\n`);
    }
  }
  return ready;
}

/** Starts a server; `prepareServers` must have found it ready. */
export async function realServer(
  kind: ServerKind,
  options: ServerOptions = {},
): Promise<RealServer> {
  const root = options.root ?? (await testTree());
  const program = await unpack(programs[kind].bundle);
  const { port, directory, daemon } = await start(kind, { program, root, account, options });
  return {
    kind,
    port,
    root,
    absoluteRoot: programs[kind].open ? root : "/",
    account,
    url: (path, login) => urlOf(options, port, path, login),
    log: () => ["server.log", "output", "tls.log"].map((name) => textOf(directory, name)).join(""),
    close: async () => {
      await daemon.stop();
      removePamFolder(daemon.pid);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function prepare(kind: ServerKind): Promise<void> {
  if (process.platform !== "linux") throw new Error("the servers are Debian's");
  if (process.getuid?.() !== 0) throw new Error("only root can start them");
  if (kind === "pyftpdlib" && !existsSync("/usr/bin/python3"))
    throw new Error("there is no /usr/bin/python3 (apt-get install python3)");
  await unpack(programs[kind].bundle);
  await testTree();
}

/** Another process can take the port between the look and the start: then with another one. */
async function start(
  kind: ServerKind,
  setting: Omit<Setting, "port" | "directory">,
): Promise<{ port: number; directory: string; daemon: Daemon }> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const directory = mkdtempSync(join(tmpdir(), `ftpull-${kind}-`));
    try {
      const command = within(
        setting.options.namespace,
        programs[kind].command({ ...setting, directory, port }),
      );
      const daemon = await startDaemon(command, port, join(directory, "output"));
      return { port, directory, daemon };
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      if (tries === 3) throw error;
    }
  }
}

/** The same process goes over to the server's program: its id tells both. */
function within(namespace: string | undefined, command: Command): Command {
  if (namespace === undefined) return command;
  return {
    ...command,
    file: "nsenter",
    args: [`--net=${namespace}`, command.file, ...command.args],
  };
}

function urlOf(options: ServerOptions, port: number, path: string, login?: Login): string {
  const scheme = options.tls ? (options.tls.implicit ? "ftps" : "ftpes") : "ftp";
  const password = login?.password === undefined ? "" : `:${encodeURIComponent(login.password)}`;
  const userinfo = login ? `${encodeURIComponent(login.user)}${password}@` : "";
  return `${scheme}://${userinfo}127.0.0.1:${port}${path}`;
}

function textOf(directory: string, name: string): string {
  const path = join(directory, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

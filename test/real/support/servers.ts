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
  readonly port: number;
  readonly absoluteRoot: string;
  readonly account: Required<Login>;
  /** A URL; `path` is encoded already and begins with "/", `login` is plain text. */
  url(path: string, login?: Login): string;
  log(): string;
  close(): Promise<void>;
}

export interface Program {
  readonly bundle: Bundle;
  readonly command: (setting: Setting) => Command;
  readonly open?: boolean;
}

export const programs: Readonly<Record<ServerKind, Program>> = {
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
export function prepareServers(): Promise<ReadonlySet<ServerKind>> {
  return readyAmong(serverKinds, async (kind) => {
    await unpack(programs[kind].bundle);
    await testTree();
  });
}

export async function readyAmong<Name extends string>(
  names: readonly Name[],
  prepare: (name: Name) => Promise<unknown>,
): Promise<ReadonlySet<Name>> {
  const ready = new Set<Name>();
  for (const name of names) {
    try {
      checkMachine();
      await prepare(name);
      ready.add(name);
    } catch (error) {
      if (process.env["CI"] === "true") throw error;
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`\nSKIPPED: all tests against the real ${name}: ${reason}\n\n`);
    }
  }
  return ready;
}

/** Starts a server; `prepareServers` must have found it ready. */
export async function realServer(
  kind: ServerKind,
  options: ServerOptions = {},
): Promise<RealServer> {
  return startServer(kind, programs[kind], await unpack(programs[kind].bundle), options);
}

/** Starts the server of a program that was unpacked into `folder`; `name` is for its directory. */
export async function startServer(
  name: string,
  { command, open = false }: Omit<Program, "bundle">,
  folder: string,
  options: ServerOptions,
): Promise<RealServer> {
  const root = options.root ?? (await testTree());
  const { port, directory, daemon } = await start(name, command, {
    program: folder,
    root,
    account,
    options,
  });
  return {
    port,
    absoluteRoot: open ? root : "/",
    account,
    url: (path, login) => urlOf(options, port, path, login),
    log: () => ["server.log", "output", "tls.log"].map((log) => textOf(directory, log)).join(""),
    close: async () => {
      await daemon.stop();
      removePamFolder(daemon.pid);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function checkMachine(): void {
  if (process.platform !== "linux") throw new Error("the servers are Debian's");
  if (process.getuid?.() !== 0) throw new Error("only root can start them");
  if (!existsSync("/usr/bin/python3"))
    throw new Error("there is no /usr/bin/python3 (apt-get install python3)");
}

/** Another process can take the port between the look and the start: then with another one. */
async function start(
  name: string,
  commandOf: Program["command"],
  setting: Omit<Setting, "port" | "directory">,
): Promise<{ port: number; directory: string; daemon: Daemon }> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const directory = mkdtempSync(join(tmpdir(), `ftpull-${name}-`));
    try {
      const command = within(setting.options.namespace, commandOf({ ...setting, directory, port }));
      const daemon = await startDaemon(command, port, join(directory, "output"));
      return { port, directory, daemon };
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      if (tries === 3) throw error;
    }
  }
}

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
  const host = options.ipv6 ? "[::1]" : "127.0.0.1";
  return `${scheme}://${userinfo}${host}:${port}${path}`;
}

function textOf(directory: string, name: string): string {
  const path = join(directory, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/**
 * The built program as the conformance tests run it. Every test holds with and without
 * pipelining: PIPELINING=off runs them step by step, and PIPELINING=dropped through a firewall
 * that closes a connection on which commands travel together. `package.json` leaves those out
 * that are about URLs and what is shown, for which the way of sending makes no difference.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { startProgram, type RunOptions, type RunResult } from "../../support/run.ts";
import type { ServerOptions } from "../../support/options.ts";
import { localFiles } from "../../support/local-tree.ts";
import { run } from "../../support/run-here.ts";
import type { ScriptedServer } from "../../support/scripted-server.ts";
import { startServer } from "../../support/start-server.ts";

export const isPipelining = process.env["PIPELINING"] === undefined;

const wayOfSending = process.env["PIPELINING"] === "off" ? ["--no-pipelining"] : [];

const commonOptions: readonly string[] = ["--tries=1", ...wayOfSending];

export interface Outcome {
  readonly status: number | null;
  readonly output: string;
}

/** Runs the program to its end, with one try unless the settings have more; nobody can be asked. */
export async function ftpull(
  words: readonly string[],
  { tries = 1, ...options }: RunOptions & { readonly tries?: number } = {},
): Promise<RunResult & Outcome> {
  const result = await run([`--tries=${tries}`, ...wayOfSending, ...words], options);
  return { ...result, output: result.stdout + result.stderr };
}

interface Settings extends RunOptions {
  readonly tries?: number;
  /** The user and the password of the URLs. */
  readonly login?: { readonly user: string; readonly password?: string };
}

/** Runs the program for one path or several of a server that is started with these options. */
export async function fetchFrom(
  options: ServerOptions,
  paths: string | readonly string[],
  words: readonly string[] = [],
  { login, ...settings }: Settings = {},
): Promise<RunResult & Outcome & { readonly server: ScriptedServer }> {
  const server = await startServer(options);
  const urls = [paths].flat().map((path) => server.url(path, login));
  return { ...(await ftpull([...words, ...urls], settings)), server };
}

/** Fetches the tree /d/, or that of another path, from a server that is started with these options. */
export async function fetchTree(
  options: ServerOptions,
  words: readonly string[] = [],
  { path = "/d/", ...settings }: Settings & { readonly path?: string } = {},
) {
  const result = await fetchFrom(options, path, ["-r", ...words], settings);
  return { ...result, files: localFiles(result.cwd) };
}

/** Starts the program, for tests that look at it while it runs. */
export function startFtpull(words: readonly string[]): ReturnType<typeof startProgram> {
  return startProgram([...commonOptions, ...words]);
}

/** The environment that leads every connection, whatever its host and port, to this port of loopback. */
export function redirectedTo(port: number): Record<string, string> {
  const hook = fileURLToPath(new URL("redirect.cjs", import.meta.url));
  return { NODE_OPTIONS: `--require=${hook}`, REDIRECT_PORT: `${port}` };
}

/** The files that a run left in its working directory, with their content as octets. */
export function filesIn(cwd: string): Record<string, string> {
  const paths = readdirSync(cwd, { recursive: true, encoding: "utf8" }).sort();
  const files = paths.filter((path) => statSync(join(cwd, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(cwd, path), "latin1")]));
}

/**
 * Runs the built program as a child process, without the machine's settings: it has no home, a
 * temporary working directory, and of the environment only PATH.
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "./temporary-directory.ts";

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string | Buffer;
  timeoutMs?: number;
}

export interface RunResult {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  stdoutBytes: Buffer;
  cwd: string;
  /** Duration of the run, by the program's own clock. */
  elapsedMs: number;
}

export async function run(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const program = await startProgram(args, options);
  program.child.stdin.end(options.stdin);
  return program.finished;
}

export async function startProgram(
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunningProgram> {
  const cwd = options.cwd ?? (await temporaryDirectory());
  const env = {
    PATH: process.env["PATH"],
    HOME: noHome,
    XDG_CACHE_HOME: caches,
    LC_ALL: "C.UTF-8",
    TZ: "UTC",
    ...options.env,
  };
  const child = spawn(node, [launcher, ...args], { cwd, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  return new RunningProgram(child, cwd, options.timeoutMs ?? 200_000);
}

export const node = process.env["TEST_NODE"] ?? process.execPath;

export const noHome = "/nonexistent";

export const caches = fileURLToPath(new URL("../../.cache", import.meta.url));

export const launcher = fileURLToPath(new URL("../../bin/ftpull.js", import.meta.url));

export class RunningProgram {
  readonly child: ChildProcessWithoutNullStreams;
  readonly cwd: string;
  readonly finished: Promise<RunResult>;
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];

  constructor(child: ChildProcessWithoutNullStreams, cwd: string, timeoutMs: number) {
    this.child = child;
    this.cwd = cwd;
    child.stdout.on("data", (chunk: Buffer) => this.#stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    // A program need not read its input to the end.
    child.stdin.on("error", () => {});
    this.finished = this.#finish(timeoutMs);
    // A test that doesn't await the end must not fail by it.
    this.finished.catch(() => {});
  }

  get stdout(): string {
    return Buffer.concat(this.#stdout).toString();
  }

  get stderr(): string {
    return Buffer.concat(this.#stderr).toString();
  }

  says(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (this.stdout.includes(text) || this.stderr.includes(text)) resolve();
      };
      check();
      this.child.stdout.on("data", check);
      this.child.stderr.on("data", check);
      this.finished.then(
        (result) => reject(new Error(`ended without saying "${text}":\n${describe(result)}`)),
        reject,
      );
    });
  }

  async #finish(timeoutMs: number): Promise<RunResult> {
    const began = performance.now();
    let isOverdue = false;
    const kill = (): void => {
      isOverdue = this.child.kill("SIGKILL");
    };
    const timer = setTimeout(kill, timeoutMs);
    const [status, signal] = (await once(this.child, "close")) as [number, NodeJS.Signals];
    clearTimeout(timer);
    const result = {
      status,
      signal,
      stdout: this.stdout,
      stderr: this.stderr,
      stdoutBytes: Buffer.concat(this.#stdout),
      cwd: this.cwd,
      elapsedMs: performance.now() - began,
    };
    if (/^\(node:\d+\) /m.test(result.stderr)) throw new Error(`Node warns:\n${describe(result)}`);
    if (isOverdue) throw new Error(`not finished after ${timeoutMs} ms:\n${describe(result)}`);
    return result;
  }
}

function describe({ stdout, stderr }: RunResult): string {
  return `standard output:\n${stdout}\nstandard error:\n${stderr}`;
}

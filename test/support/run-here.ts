/**
 * Runs the built program inside the test's process, which takes a tenth of the time that a process of
 * its own does. Each run evaluates the bundle anew, with its own `process` and timers, so that no state
 * of one run reaches the next. Signals, terminals and the end of the event loop need `run` of run.ts.
 */
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { caches, node, run as runAsProcess, type RunOptions, type RunResult } from "./run.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const bundle = fileURLToPath(new URL("../../dist/ftpull.cjs", import.meta.url));

/** What a process preloads to have the clocks of waits.ts. */
export const waitsHook = fileURLToPath(new URL("waits.cjs", import.meta.url));

/** Modules of which each run has its own copy, since a hook or the run itself changes them. */
const copied = new Set(["timers/promises", "tty", "os"]);

// As `run` gives it; a run in another zone needs a process.
process.env["TZ"] = "UTC";

/** What the program and the hooks of its environment see as their globals. */
const globals = ["process", "globalThis", "setTimeout", "require", "module"] as const;

/** Whether a run has the working directory. */
let isBusy = false;

/**
 * Runs the program to its end, as `run` of run.ts does, which serves a second run at the same time,
 * another Node or time zone, and hooks other than waits.cjs.
 */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { NODE_OPTIONS: hook, TZ: zone } = options.env ?? {};
  const isOther = isBusy || node !== process.execPath || zone !== undefined;
  if (isOther || !(hook === undefined || hook === `--require=${waitsHook}`))
    return runAsProcess(args, options);
  isBusy = true;
  const cwd = options.cwd ?? (await temporaryDirectory());
  const env = { ...options.env, HOME: options.env?.["HOME"] ?? (await temporaryDirectory()) };
  const before = process.cwd();
  const { stackTraceLimit } = Error;
  process.chdir(cwd);
  const warnings: Error[] = [];
  const noteWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", noteWarning);
  try {
    const result = await new OwnProcess(args, env, options).finished;
    if (warnings.length > 0) throw warnings[0]!;
    return { ...result, cwd };
  } finally {
    process.off("warning", noteWarning);
    Error.stackTraceLimit = stackTraceLimit; // the program takes no stacks
    process.chdir(before);
    isBusy = false;
  }
}

/** What the program sees as `process`: its own words, streams and exit code, and the rest of the real one. */
class OwnProcess extends EventEmitter {
  readonly argv: readonly string[];
  readonly env: Record<string, string | undefined>;
  readonly stdin: Readable;
  readonly stdout = new Collected();
  readonly stderr = new Collected();
  readonly hrtime = Object.assign(() => process.hrtime(), {
    bigint: () => process.hrtime.bigint(),
  });
  title = "";
  readonly finished: Promise<Omit<RunResult, "cwd">>;
  #hasBegun = false;

  constructor(
    args: readonly string[],
    env: Record<string, string>,
    { stdin, timeoutMs }: RunOptions,
  ) {
    super();
    this.argv = [process.execPath, bundle, ...args];
    this.env = { PATH: process.env["PATH"], XDG_CACHE_HOME: caches, LC_ALL: "C.UTF-8", ...env };
    this.stdin = Readable.from([Buffer.from(stdin ?? "")], { objectMode: false });
    this.finished = this.#finish(timeoutMs ?? 200_000);
    this.#load();
  }

  /** The program sets it when it begins, and again at its end. */
  set exitCode(status: number) {
    if (this.#hasBegun) setImmediate(() => this.exit(status));
    this.#hasBegun = true;
  }

  exit(status: number): void {
    this.emit("exit", status);
    this.emit("ended", status);
  }

  async #finish(timeoutMs: number): Promise<Omit<RunResult, "cwd">> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const [status] = (await once(this, "ended", { signal })) as [number];
      const stdoutBytes = Buffer.concat(this.stdout.chunks);
      const [stdout, stderr] = [stdoutBytes.toString(), this.stderr.text];
      return { status, signal: null, stdout, stderr, stdoutBytes };
    } catch (cause) {
      const said = `standard output:\n${this.stdout.text}\nstandard error:\n${this.stderr.text}`;
      throw new Error(`not finished after ${timeoutMs} ms:\n${said}`, { cause });
    }
  }

  #load(): void {
    const own = this.#asProcess();
    const requireOwn = this.#modules();
    const module = { exports: {} };
    const ownGlobal = { setTimeout };
    const evaluate = (script: Script): unknown =>
      script.runInThisContext()(own, ownGlobal, ownGlobal.setTimeout, requireOwn, module);
    if (this.env["NODE_OPTIONS"] !== undefined) evaluate(scriptOf(waitsHook));
    (evaluate(scriptOf(bundle)) as (require: unknown, module: unknown) => void)(requireOwn, module);
  }

  #asProcess(): object {
    return new Proxy(this, {
      get: (own, key) => {
        const holder = key in own ? own : process;
        return Reflect.get(holder, key, holder) as unknown;
      },
      set: (own, key, value) => Reflect.set(own, key, value, own),
    });
  }

  #modules(): (name: string) => unknown {
    const own = new Map<string, unknown>();
    const changes: Record<string, object> = {
      tty: { isatty: () => false }, // no descriptor of the tests is the program's terminal
      os: { homedir: () => this.env["HOME"] },
    };
    return (name) => {
      const plain = name.replace(/^node:/, "");
      if (!copied.has(plain)) return requireReal(name);
      if (!own.has(plain)) own.set(plain, { ...(requireReal(name) as object), ...changes[plain] });
      return own.get(plain);
    };
  }
}

const requireReal = createRequire(bundle) as (name: string) => unknown;

const scripts = new Map<string, Script>();

/** A function of `globals`; of the bundle it returns the function that is the program. */
function scriptOf(filename: string): Script {
  const text = readFileSync(filename, "utf8");
  // In parentheses, since the bundle's first line is a comment.
  const body = filename === bundle ? `return (${text})` : text;
  const script =
    scripts.get(filename) ??
    new Script(`(function (${globals.join(", ")}) { ${body}\n})`, { filename });
  scripts.set(filename, script);
  return script;
}

class Collected extends Writable {
  readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(Buffer.from(chunk));
    done();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }
}

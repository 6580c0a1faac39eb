/**
 * Runs the built program inside the test's process, in a tenth of the time that a new process takes.
 * Each run evaluates the bundle again, with another `process` and other timers: no state of one run
 * reaches the next. Signals, terminals and the end of the event loop need `run` of run.ts.
 */
import { EventEmitter, once } from "node:events";
import { fstatSync, readFileSync, type StatOptions, statSync } from "node:fs";
import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { IdleClock } from "./idle-clock.ts";
import {
  caches,
  node,
  noHome,
  run as runAsProcess,
  type RunOptions,
  type RunResult,
} from "./run.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const bundle = fileURLToPath(new URL("../../dist/ftpull.cjs", import.meta.url));

/** Names of the bundle's globals that a run has of its own, in the order of `#load`. */
const globals = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "process",
  "require",
];

/** Runs wait for each other: the process has one working directory. */
let lastInQueue: Promise<unknown> = Promise.resolve();

/**
 * Runs the program to its end, one run after the other, with an IdleClock: waiting takes no time.
 * Another Node, another time zone and other hooks need a new process, by `run` of run.ts.
 */
export function run(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return runBy(IdleClock, args, options);
}

/** Runs the program with the real clock, for servers in other processes, or with a speed that matters. */
export function runInRealTime(
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  return runBy(SystemClock, args, options);
}

function runBy(
  Clock: typeof IdleClock | typeof SystemClock,
  args: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const { NODE_OPTIONS, TZ: zone } = options.env ?? {};
  const hasOtherOptions = NODE_OPTIONS !== undefined && hookIn(NODE_OPTIONS) === undefined;
  if (node !== process.execPath || zone !== undefined || hasOtherOptions)
    return runAsProcess(args, options);
  const begin = (): Promise<RunResult> => runAlone(Clock, args, options);
  const result = lastInQueue.then(begin, begin);
  lastInQueue = result;
  return result;
}

interface Hook {
  readonly begin: (environment: Record<string, string>) => () => void;
}

function hookIn(nodeOptions = ""): Hook | undefined {
  const [, path] = /^--require=(.*)/.exec(nodeOptions) ?? [];
  const hook = path === undefined ? {} : (requireReal(path) as Partial<Hook>);
  return hook.begin && { begin: hook.begin };
}

async function runAlone(
  Clock: typeof IdleClock | typeof SystemClock,
  args: readonly string[],
  options: RunOptions,
): Promise<RunResult> {
  const cwd = options.cwd ?? (await temporaryDirectory());
  const before = process.cwd();
  const { stackTraceLimit } = Error;
  process.chdir(cwd);
  const warnings: Error[] = [];
  const noteWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", noteWarning);
  const clock = new Clock();
  const undo = hookIn(options.env?.["NODE_OPTIONS"])?.begin(options.env ?? {});
  try {
    const began = clock.nowMs;
    const result = await new OwnProcess(args, options, clock).finished;
    if (warnings.length > 0) throw warnings[0]!;
    return { ...result, cwd, elapsedMs: clock.nowMs - began };
  } finally {
    clock.end();
    undo?.();
    process.off("warning", noteWarning);
    Error.stackTraceLimit = stackTraceLimit;
    process.chdir(before);
  }
}

class SystemClock {
  readonly setTimeout = setTimeout;
  readonly clearTimeout = clearTimeout;
  readonly setInterval = setInterval;
  readonly clearInterval = clearInterval;
  readonly delay = delay;

  get nowMs(): number {
    return performance.now();
  }

  end(): void {}
}

class OwnProcess extends EventEmitter {
  readonly argv: readonly string[];
  readonly env: Record<string, string | undefined>;
  readonly stdin: Readable;
  readonly stdout = new Collected();
  readonly stderr = new Collected();
  readonly hrtime = () => [0, this.#clock.nowMs * 1e6];
  title = "";
  readonly finished: Promise<Omit<RunResult, "cwd" | "elapsedMs">>;
  readonly #clock: IdleClock | SystemClock;
  #hasBegun = false;

  constructor(
    args: readonly string[],
    { env, stdin, timeoutMs }: RunOptions,
    clock: IdleClock | SystemClock,
  ) {
    super();
    this.#clock = clock;
    this.argv = [process.execPath, bundle, ...args];
    const { PATH } = process.env;
    this.env = { PATH, HOME: noHome, XDG_CACHE_HOME: caches, LC_ALL: "C.UTF-8", ...env };
    this.stdin = Readable.from([Buffer.from(stdin ?? "")], { objectMode: false });
    this.finished = this.#finish(timeoutMs ?? 200_000);
    this.#load();
  }

  /** The program sets its exit code when it begins, and again at its end. */
  set exitCode(status: number) {
    if (this.#hasBegun) setImmediate(() => this.exit(status));
    this.#hasBegun = true;
  }

  exit(status: number): void {
    this.emit("exit", status);
    this.emit("ended", status);
  }

  async #finish(timeoutMs: number): Promise<Omit<RunResult, "cwd" | "elapsedMs">> {
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
    const { setTimeout, clearTimeout, setInterval, clearInterval } = this.#clock;
    const ownRequire = this.#modules();
    const values = [setTimeout, clearTimeout, setInterval, clearInterval];
    const programOf = script.runInThisContext() as (...values: unknown[]) => Program;
    const program = programOf(...values, this.#asProcess(), ownRequire);
    program(ownRequire, { exports: {} });
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
    const changes: Record<string, object> = {
      tty: { isatty: () => false }, // The terminal and the standard output of the tests aren't the program's.
      fs: { fstatSync: statOf },
      os: { homedir: () => this.env["HOME"] },
      "timers/promises": { setTimeout: this.#clock.delay },
    };
    return (name) => {
      const change = changes[name.replace(/^node:/, "")];
      return change === undefined ? requireReal(name) : { ...requireReal(name), ...change };
    };
  }
}

const requireReal = createRequire(bundle) as (name: string) => object;

function statOf(fd: number, options?: StatOptions): unknown {
  return fd === 1 || fd === 2 ? statSync("/dev/null", options) : fstatSync(fd, options);
}

type Program = (require: unknown, module: unknown) => void;

// In parentheses, since the bundle's first line is a comment.
const source = `(function (${globals.join()}) { return (${readFileSync(bundle, "utf8")}) })`;
const script = new Script(source, { filename: bundle });

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

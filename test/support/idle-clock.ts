/**
 * A clock for a program that runs in the tests' process, together with its servers. The clock stands
 * still while one of them works, and jumps to the program's next timer when all of them wait. So
 * waiting takes no time, and a busy machine makes no time-out.
 */
import { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as realDelay } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** Resources of work that needs no socket: files, names, other processes, timers of a server. */
const namesOfWork = /^(?:FSReq|FileHandleClose|GetAddrInfo|Process|Timeout|Immediate)/;

const quietTurns = 8;

/**
 * The pause before a jump, in which servers and system have the event loop to themselves: longer before
 * a long jump, since a busy system may be late with octets that would prevent a time-out.
 */
const restMs = (jumpMs: number): number => Math.min(150, Math.max(2, jumpMs / 100));

interface Timer {
  dueMs: number;
  readonly everyMs: number;
  readonly repeats: boolean;
  readonly act: () => void;
}

type Act = (...args: unknown[]) => void;

class Handle {
  readonly timer: Timer;
  readonly refresh: () => this;

  constructor(timer: Timer, start: (timer: Timer) => void) {
    this.timer = timer;
    this.refresh = () => (start(timer), this);
  }

  ref = (): this => this;
  unref = (): this => this;
}

export function idleClock(): IdleClock {
  const clock = new IdleClock();
  const clearRealTimeout = clearTimeout;
  vi.stubGlobal("setTimeout", clock.setTimeout);
  vi.stubGlobal("clearTimeout", (handle: Handle | NodeJS.Timeout) =>
    handle instanceof Handle ? clock.clearTimeout(handle) : clearRealTimeout(handle),
  );
  onTestFinished(() => {
    vi.unstubAllGlobals();
    clock.end();
  });
  return clock;
}

export class IdleClock {
  nowMs = 0;
  readonly #timers = new Set<Timer>();
  readonly #socketTimers = new WeakMap<Socket, Handle>();
  readonly #setSocketTimeout = Reflect.get(Socket.prototype, "setTimeout") as Socket["setTimeout"];
  #isRunning = false;

  constructor() {
    const watch = (socket: Socket, ms: number): void => this.#watch(socket, ms);
    Socket.prototype.setTimeout = function (this: Socket, milliseconds, callback) {
      if (callback !== undefined) this.once("timeout", callback);
      watch(this, milliseconds);
      return this;
    };
  }

  end(): void {
    Socket.prototype.setTimeout = this.#setSocketTimeout;
    this.#timers.clear();
  }

  readonly setTimeout = (act: Act, ms = 0, ...args: unknown[]): Handle =>
    this.#start({ dueMs: 0, everyMs: ms, repeats: false, act: () => act(...args) });

  readonly setInterval = (act: Act, ms = 0, ...args: unknown[]): Handle =>
    this.#start({ dueMs: 0, everyMs: ms, repeats: true, act: () => act(...args) });

  readonly clearTimeout = (handle?: Handle): void => {
    if (handle !== undefined) this.#timers.delete(handle.timer);
  };

  readonly clearInterval = this.clearTimeout;

  readonly delay = async (
    ms: number,
    value?: unknown,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<unknown> => {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const handle = this.setTimeout(() => resolve(value), ms);
      const abort = (): void => {
        this.clearTimeout(handle);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener("abort", abort, { once: true });
    });
  };

  #start(timer: Timer): Handle {
    const start = (): void => {
      timer.dueMs = this.nowMs + timer.everyMs;
      this.#timers.add(timer);
      if (!this.#isRunning) void this.#run();
    };
    start();
    return new Handle(timer, start);
  }

  #watch(socket: Socket, ms: number): void {
    const known = this.#socketTimers.get(socket);
    if (known === undefined) socket.once("close", () => this.#watch(socket, 0));
    this.clearTimeout(known);
    if (ms === 0) return;
    const octetsBefore = octetsOf(socket);
    const timeOut = (): void => {
      const isSilent = octetsOf(socket) === octetsBefore;
      if (isSilent) socket.emit("timeout");
      else this.#watch(socket, ms);
    };
    this.#socketTimers.set(socket, this.setTimeout(timeOut, ms));
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#timers.size > 0) {
      const isQuiet = await isIdle(restMs(this.#nextInMs));
      if (isQuiet) this.#jump();
    }
    this.#isRunning = false;
  }

  get #nextInMs(): number {
    return Math.min(...[...this.#timers].map(({ dueMs }) => dueMs)) - this.nowMs;
  }

  #jump(): void {
    const [next] = [...this.#timers].toSorted((one, other) => one.dueMs - other.dueMs);
    if (next === undefined) return;
    this.nowMs = Math.max(this.nowMs, next.dueMs);
    if (next.repeats) next.dueMs += next.everyMs;
    else this.#timers.delete(next);
    next.act();
  }
}

function octetsOf({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten;
}

async function isIdle(ms: number): Promise<boolean> {
  const before = traffic();
  await realDelay(ms);
  for (let turns = 0; turns < quietTurns; turns += 1) {
    if (process.getActiveResourcesInfo().some((name) => namesOfWork.test(name))) return false;
    await nextTurn();
  }
  return traffic() === before;
}

function traffic(): string {
  const handles = (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles();
  const sockets = handles.filter((handle) => handle instanceof Socket);
  return sockets.map(({ bytesRead, bytesWritten }) => `${bytesRead} ${bytesWritten}`).join();
}

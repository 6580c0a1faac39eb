/** A stream of which one item is read before it is wanted, so that what follows is mostly known. */

/** Nothing can be said of what follows: it is still being read. */
export const unknown = Symbol("unknown");
export type Unknown = typeof unknown;

export class ReadAhead<T> {
  readonly #items: AsyncIterator<T>;
  /** What follows; undefined is nothing. */
  #next: T | Unknown | undefined;
  #error: Error | undefined;
  #isStopped = false;
  #waiting: (() => void)[] = [];

  /** Begins to read. */
  constructor(items: AsyncIterable<T>) {
    this.#items = items[Symbol.asyncIterator]();
    this.#read();
  }

  /** Takes the next item; undefined when nothing follows. @throws what the stream throws */
  async next(): Promise<T | undefined> {
    for (;;) {
      const next = this.nextIfKnown();
      if (next !== unknown) return next;
      if (this.#error !== undefined) throw this.#error;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Takes the next item if it has been read; undefined when nothing follows. */
  nextIfKnown(): T | Unknown | undefined {
    const next = this.#next;
    if (next !== undefined && next !== unknown) this.#read();
    return next;
  }

  /** Nothing more is wanted: what waits gets undefined. */
  stop(): void {
    this.#isStopped = true;
    this.#settle(undefined);
  }

  #read(): void {
    this.#next = unknown;
    this.#items.next().then(
      ({ value, done }) => this.#settle(done ? undefined : (value as T)),
      (error: Error) => this.#settle(unknown, error),
    );
  }

  #settle(next: T | Unknown | undefined, error?: Error): void {
    this.#next = this.#isStopped ? undefined : next;
    this.#error = error;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** A stream that reads one item ahead, so that the next one is mostly known. */

/** The next item is still being read. */
export const unknown = Symbol("unknown");
export type Unknown = typeof unknown;

export class ReadAhead<T> {
  readonly #items: AsyncIterator<T>;
  /** Undefined at the end. */
  #next: T | Unknown | undefined;
  #error: Error | undefined;
  #isStopped = false;
  #waiting: (() => void)[] = [];

  constructor(items: AsyncIterable<T>) {
    this.#items = items[Symbol.asyncIterator]();
    this.#read();
  }

  /** Takes the next item; undefined at the end. @throws what the stream throws */
  async next(): Promise<T | undefined> {
    for (;;) {
      const next = this.nextIfKnown();
      if (next !== unknown) return next;
      await this.change();
    }
  }

  /** Resolves when the next item is known, or at `wake`. @throws what the stream throws */
  async change(): Promise<void> {
    if (this.#error !== undefined) throw this.#error;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Takes the next item if it has been read; undefined at the end. */
  nextIfKnown(): T | Unknown | undefined {
    const next = this.#next;
    if (next !== undefined && next !== unknown) this.#read();
    return next;
  }

  /** Stops reading; pending calls get undefined. */
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
    this.wake();
  }
}

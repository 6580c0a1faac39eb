/** How many documents are fetched at once: as -j says, or fewer if the process has too many files open. */
export class Slots {
  #most: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when one document more may be under way, and counts it. */
  async take(): Promise<void> {
    while (this.#taken >= this.#most) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#taken++;
  }

  /** A document is done, or waits. */
  leave(): void {
    this.#taken--;
    this.#waiting.shift()?.();
  }

  /** One fewer from now on, of those that are under way; undefined where there is only one. */
  lower(): number | undefined {
    return this.#taken === 1 ? undefined : (this.#most = this.#taken - 1);
  }
}

/** How many documents are fetched at once: -j, or fewer if too many files are open. */
export class Slots {
  #most: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  async take(): Promise<void> {
    while (this.#taken >= this.#most) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#taken++;
  }

  leave(): void {
    this.#taken--;
    this.#waiting.shift()?.();
  }

  /** Allows one fewer than are under way; undefined where there is only one. */
  lower(): number | undefined {
    return this.#taken === 1 ? undefined : (this.#most = this.#taken - 1);
  }
}

/** Wakes work that waits for a change: each waiter checks its own condition again. */
export class Changed {
  #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Wakes all waiters, in the order in which they came. */
  wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

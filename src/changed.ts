/**
 * Wakes work that waits for a change, in the order in which it came: each waiter checks its own
 * condition again.
 */
export class Changed {
  #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Wakes all waiters, the first one first, after a change; each waiter then checks its own condition again. */
export class Changed {
  #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

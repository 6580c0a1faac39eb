/** Work that waits for a change: it looks again at each, and decides whether it was the right one. */
export class Changed {
  #waiting: (() => void)[] = [];

  /** Resolves at the next `wake`. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets all that wait look again, in the order in which they came. */
  wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

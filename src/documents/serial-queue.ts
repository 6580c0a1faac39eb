/** Lets those who share something have it one after the other, in the order of asking. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all work before it is done, whatever came of that. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

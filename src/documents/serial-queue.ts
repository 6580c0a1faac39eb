/** Runs asynchronous work one at a time, in the order of the calls, after failed work too. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

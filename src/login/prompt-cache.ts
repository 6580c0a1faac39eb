/**
 * What a person answered in this run, so that several URLs of one server, one after the
 * other or at once, ask once.
 */
export class PromptCache<Answer> {
  readonly #given = new Map<string, Promise<Answer>>();

  /** The answer given for `key`, or being given at the moment. */
  get(key: string): Promise<Answer> | undefined {
    return this.#given.get(key);
  }

  /**
   * The answer for `key`: the one that is there unless it is `refused`, the one that the
   * caller has tried in vain; else what `question` brings. A question that fails is forgotten.
   */
  ask(
    key: string,
    refused: Promise<Answer> | undefined,
    question: () => Promise<Answer>,
  ): Promise<Answer> {
    const given = this.#given.get(key);
    if (given !== undefined && given !== refused) return given;
    const answer = question();
    this.#given.set(key, answer);
    answer.catch(() => {
      if (this.#given.get(key) === answer) this.#given.delete(key);
    });
    return answer;
  }
}

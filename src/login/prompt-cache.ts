/** The answers of this run: several URLs of one server lead to one question, also at once. */
export class PromptCache<Answer> {
  readonly #given = new Map<string, Promise<Answer>>();

  get(key: string): Promise<Answer> | undefined {
    return this.#given.get(key);
  }

  /** The existing answer, unless it is the `refused` one; else `question`'s. Errors aren't kept. */
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

/** The dialogue of a control connection, without the arguments of PASS and ACCT (X2). */
import type { Reply } from "./reply.ts";

/** Observer of the dialogue, which has to conceal secrets in replies. */
export interface DialogueObserver {
  command(line: string, session: number): void;
  reply(text: string, session: number): void;
}

const secretCommand = /^(PASS|ACCT) .*$/s;

export class Transcript {
  readonly #observer: DialogueObserver;
  readonly #session: number;

  /** `session` tells the sessions of a run apart. */
  constructor(observer: DialogueObserver, session: number) {
    this.#observer = observer;
    this.#session = session;
  }

  command(line: string): void {
    this.#observer.command(line.replace(secretCommand, "$1 ***"), this.#session);
  }

  reply({ lines }: Reply): void {
    this.#observer.reply(lines.join("\n"), this.#session);
  }
}

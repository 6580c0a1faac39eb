/** The dialogue of a control connection as it may be shown: without passwords and accounts (X2). */
import { parseReply, type Reply } from "./reply.ts";

/** Gets the dialogue; secrets are replaced. */
export interface DialogueObserver {
  command(line: string, session: number): void;
  reply(text: string, session: number): void;
}

const secretCommand = /^(PASS|ACCT) (.*)$/s;

export class Transcript {
  readonly #observer: DialogueObserver;
  readonly #session: number;
  readonly #secrets: RegExp[] = [];

  /** `session` tells the sessions of a run apart. */
  constructor(observer: DialogueObserver, session: number) {
    this.#observer = observer;
    this.#session = session;
  }

  /** Hides the secret of a command that is sent, also in replies. */
  hide(line: string): void {
    const secret = secretCommand.exec(line)?.[2] ?? "";
    if (secret !== "") this.#secrets.push(patternOf(secret));
  }

  command(line: string): void {
    this.#observer.command(line.replace(secretCommand, "$1 ***"), this.#session);
  }

  /** Parses a reply and hides secrets in it: some servers repeat what was sent to them. */
  read(text: string): Reply {
    const shown = this.#secrets.reduce((words, secret) => words.replace(secret, "***"), text);
    return parseReply(text, shown);
  }

  reply({ shown }: Reply): void {
    this.#observer.reply(shown, this.#session);
  }
}

/** A short secret is hidden where it stands alone: elsewhere it can't be told from other text. */
function patternOf(secret: string): RegExp {
  const literal = secret.replace(/[^\w]/g, "\\$&");
  return new RegExp(secret.length < 4 ? `(?<!\\w)${literal}(?!\\w)` : literal, "g");
}

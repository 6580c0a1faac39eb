/**
 * What is said on a control connection, as it may be shown: without passwords and accounts (X2),
 * and a command that was sent ahead only with its reply.
 */
import { isPreliminary, parseReply, type Reply } from "./reply.ts";

/** Who sees the dialogue; commands arrive with their secrets replaced. */
export interface DialogueObserver {
  command(line: string): void;
  reply(text: string): void;
}

/** A command whose final reply is still to come. */
interface Pending {
  readonly line: string;
  shown: boolean;
}

const secretCommand = /^(PASS|ACCT) (.*)$/s;

/** Both sides of one control connection's dialogue, in order. */
export class Dialogue {
  readonly #observer: DialogueObserver;
  /** What the server still owes a final reply to; the first one is the greeting. */
  readonly #pending: Pending[] = [{ line: "", shown: true }];
  readonly #secrets: RegExp[] = [];

  constructor(observer: DialogueObserver) {
    this.#observer = observer;
  }

  /** Whether the server owes a reply. */
  get isOwed(): boolean {
    return this.#pending.length > 0;
  }

  /** Takes note of a command, and shows it unless it is sent `ahead`. */
  sent(line: string, ahead: boolean): void {
    const secret = secretCommand.exec(line)?.[2] ?? "";
    if (secret !== "") this.#secrets.push(patternOf(secret));
    const command = { line, shown: false };
    this.#pending.push(command);
    if (!ahead) this.#show(command);
  }

  /** Shows a reply and the command that it answers. */
  received(text: string): Reply {
    this.#show(this.#pending[0]);
    // Some servers repeat in their words what they were sent.
    const shown = this.#secrets.reduce((words, secret) => words.replace(secret, "***"), text);
    this.#observer.reply(shown);
    const reply = parseReply(text, shown);
    if (!isPreliminary(reply)) this.#pending.shift();
    return reply;
  }

  #show(command: Pending | undefined): void {
    if (command === undefined || command.shown) return;
    command.shown = true;
    this.#observer.command(command.line.replace(secretCommand, "$1 ***"));
  }
}

/** A short secret is hidden where it stands alone: elsewhere nobody could tell it from other text. */
function patternOf(secret: string): RegExp {
  const literal = secret.replace(/[^\w]/g, "\\$&");
  return new RegExp(secret.length < 4 ? `(?<!\\w)${literal}(?!\\w)` : literal, "g");
}

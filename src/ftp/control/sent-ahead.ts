/**
 * Commands that were sent before anybody asked for them, and whose replies nobody has looked at
 * yet: RFC 2389 allows what RFC 959 leaves open.
 */
import type { Reply } from "./reply.ts";

/** Commands that change nothing on the server: skipping the reply to one leaves the session as it was. */
const harmless = /^(PASS|FEAT|OPTS|PWD|SIZE|MDTM|NOOP)\b/;

/** The control connection, as far as it is needed here. */
interface Connection {
  /** Sends commands in one write. */
  send(lines: readonly string[]): void;
  /** The next reply that is not a preliminary one. */
  completion(): Promise<Reply>;
}

/** They take effect in order, as the session gets to each of them. */
export class SentAhead {
  readonly #connection: Connection;
  #lines: string[] = [];
  /** Told each command that turned out not to be wanted, and its reply. */
  onAbandoned: (command: string, reply: Reply) => void = () => {};

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Whether they are just these, with or without a NOOP before them. */
  consistsOf(lines: readonly string[]): boolean {
    return lines.join("\n") === this.#lines.join("\n").replace(/^NOOP\n?/, "");
  }

  /** Sends commands in one write. */
  send(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#connection.send(lines);
    this.add(lines);
  }

  /** Commands have been sent behind one that was asked for. */
  add(lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  /** The reply that was read last answered the first of them. */
  answered(): void {
    this.#lines.shift();
  }

  /**
   * Passes over the replies before that to `line`, which is the next one then; false where
   * it wasn't sent ahead, and nothing else is any more.
   */
  async reach(line: string): Promise<boolean> {
    const position = this.#lines.indexOf(line);
    const before = this.#lines.slice(0, Math.max(position, 0));
    if (position < 0 || !before.every((command) => harmless.test(command))) {
      await this.abandon();
      return false;
    }
    for (const command of before) {
      this.#lines.shift();
      this.onAbandoned(command, await this.#connection.completion());
    }
    this.#lines.shift();
    return true;
  }

  /**
   * `early` answers the first of them, before the reply to the command that they are behind.
   * Resolves with all replies after it. The last one is that reply, where the server has held it
   * back for so long; `answered` has to follow then.
   */
  async overtake(early: Reply): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (let reply = early; ; replies.push(reply)) {
      this.onAbandoned(this.#lines[0] ?? "", reply);
      reply = await this.#connection.completion();
      if (this.#lines.length <= 1) return [...replies, reply];
      this.#lines.shift();
    }
  }

  /** Waits for the replies to all of them, which nobody asks for any more. */
  async abandon(): Promise<void> {
    for (let command; (command = this.#lines[0]) !== undefined; this.#lines.shift())
      this.onAbandoned(command, await this.#connection.completion());
  }
}

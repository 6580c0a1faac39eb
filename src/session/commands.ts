/**
 * Commands of a logged-in session, any of which the server may want an account for (S8).
 */
import type { ControlConnection } from "./control-connection.ts";
import type { Credentials } from "./credentials.ts";
import { sendAccount } from "./login.ts";
import { replyCode, type Reply } from "./reply.ts";

/** Sends commands; after 332 or 532 ACCT, and then the command again. */
export class Commands {
  readonly #control: ControlConnection;
  readonly #credentials: Credentials;

  constructor(control: ControlConnection, credentials: Credentials) {
    this.#control = control;
    this.#credentials = credentials;
  }

  /** Sends a command and resolves with its final reply. */
  request(line: string): Promise<Reply> {
    return this.#accounted(() => this.#control.request(line));
  }

  /** Sends a command and resolves with its first reply, which may be a preliminary one. */
  command(line: string): Promise<Reply> {
    return this.#accounted(() => this.#control.command(line));
  }

  async #accounted(send: () => Promise<Reply>): Promise<Reply> {
    const reply = await send();
    const demanded =
      reply.code === replyCode.needAccount || reply.code === replyCode.needAccountForStoring;
    if (!demanded) return reply;
    await sendAccount(this.#control, this.#credentials, reply);
    return send();
  }
}

/** Commands of a session, any of which the server may want an account for (S8). */
import type { ControlConnection } from "./control-connection.ts";
import type { Credentials } from "./credentials.ts";
import { isCompletion, quoteReply, replyCode, type Reply } from "./reply.ts";

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
    const send = (): Promise<Reply> => this.#control.request(line);
    return this.#accounted(send(), send);
  }

  /** Sends a command, others behind it, and resolves with its first reply, which may be a preliminary one. */
  command(line: string, behind: readonly string[]): Promise<Reply> {
    const first = this.#control.command(line, behind);
    return this.#accounted(first, () => this.#control.command(line));
  }

  async #accounted(first: Promise<Reply>, again: () => Promise<Reply>): Promise<Reply> {
    const reply = await first;
    const demanded =
      reply.code === replyCode.needAccount || reply.code === replyCode.needAccountForStoring;
    if (!demanded) return reply;
    await sendAccount(this.#control, this.#credentials, reply);
    return again();
  }
}

/**
 * Sends ACCT until one is accepted; `demand` is the 332 or 532 that asked for it (S8).
 * @throws FtpullError "login" when there is no account and nobody can be asked, Interrupted
 */
export async function sendAccount(
  control: ControlConnection,
  credentials: Credentials,
  demand: Reply,
): Promise<Reply> {
  let reply = demand;
  do {
    const account = await credentials.account(quoteReply(reply), reply !== demand);
    reply = await control.request(`ACCT ${account}`);
  } while (!isCompletion(reply) && control.usable);
  return reply;
}

/** Commands of a session, any of which the server may want an account for (S8). */
import type { ControlConnection } from "./control-connection.ts";
import type { Credentials } from "./credentials.ts";
import { question } from "./order.ts";
import { isCompletion, quoteReply, replyCode, type Reply } from "./reply.ts";
import { NoWayBack } from "./working-directory.ts";

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

  /**
   * Sends a command, others behind it, and resolves with its first reply, which may be a preliminary one.
   * @throws NoWayBack when an account is wanted and it can't be said again: a CWD behind it has
   *   gone through, or an EPSV has taken its port
   */
  async command(line: string, behind: readonly string[]): Promise<Reply> {
    const first = this.#control.command(line, behind);
    if (behind.length === 0 || behind === question)
      return this.#accounted(first, () => this.#control.command(line));
    const reply = await first;
    if (isDemand(reply)) throw new NoWayBack();
    return reply;
  }

  async #accounted(first: Promise<Reply>, again: () => Promise<Reply>): Promise<Reply> {
    const reply = await first;
    if (!isDemand(reply)) return reply;
    await sendAccount(this.#control, this.#credentials, reply);
    return again();
  }
}

function isDemand({ code }: Reply): boolean {
  return code === replyCode.needAccount || code === replyCode.needAccountForStoring;
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

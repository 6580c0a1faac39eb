/** Commands of a session, any of which the server may want an account for (S8). */
import type { ControlConnection } from "./control/control-connection.ts";
import { question } from "./control/order.ts";
import { isCompletion, quoteReply, replyCode, ReplyError, type Reply } from "./control/reply.ts";
import type { Credentials } from "./credentials.ts";
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
  async request(line: string): Promise<Reply> {
    const reply = await this.#control.request(line);
    if (!isDemand(reply)) return reply;
    await this.sendAccount(reply);
    return this.#control.request(line);
  }

  /**
   * Sends a command that needs a data connection, others behind it, and resolves with its first
   * reply, which may be a preliminary one.
   * @throws AccountWanted, after which a new data connection is needed; NoWayBack when it can't be
   *   said again: a CWD behind it has gone through, or an EPSV has taken its port
   */
  async command(line: string, behind: readonly string[]): Promise<Reply> {
    const reply = await this.#control.command(line, behind);
    if (!isDemand(reply)) return reply;
    if (behind.length > 0 && behind !== question) throw new NoWayBack();
    throw new AccountWanted(reply);
  }

  /** Sends the account that `demand` asked for; throws as the function of this name does. */
  async sendAccount(demand: Reply): Promise<void> {
    await sendAccount(this.#control, this.#credentials, demand);
  }
}

/** 332 or 532 to a command that has a data connection, which servers give up then. */
export class AccountWanted extends ReplyError {
  constructor(demand: Reply) {
    super("the server wants an account", demand);
  }
}

/** Whether an account is wanted. */
export function isDemand({ code }: Reply): boolean {
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

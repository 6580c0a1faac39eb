/** Login of a session: greeting, TLS, user and password; again after REIN. */
import type { TlsLayer } from "../net/tls.ts";
import type { Plan } from "../url/plan.ts";
import { NetworkFailure } from "../errors.ts";
import type { ControlConnection } from "./control/control-connection.ts";
import { isCompletion, ReplyError } from "./control/reply.ts";
import { goalOf, login } from "./dialogue.ts";
import { checkHost, hintedAtHost, hostRefusal } from "./host-steps.ts";
import { reinitializeCommand, tlsRefusal } from "./login-steps.ts";
import type { Runner } from "./runner.ts";
import type { SessionOptions } from "./session-options.ts";
import { plainCommand } from "./state.ts";

const lateMs = 1000;

export class SessionLogin {
  readonly #control: ControlConnection;
  readonly #runner: Runner;
  readonly #tls: TlsLayer | undefined;
  readonly #options: SessionOptions;

  constructor(
    control: ControlConnection,
    runner: Runner,
    tls: TlsLayer | undefined,
    options: SessionOptions,
  ) {
    this.#control = control;
    this.#runner = runner;
    this.#tls = tls;
    this.#options = options;
  }

  /**
   * Waits for the greeting (S1), asks for TLS as the first command (RFC 4217), and logs in; with
   * pipelining `plan`'s commands go with the login. @throws FtpullError; Interrupted
   */
  async begin(plan: Plan | undefined): Promise<void> {
    const { observer, silenceHint: hint, number, capabilities } = this.#options;
    const isSilent = (): boolean => this.#control.socket.bytesRead === 0;
    const inform = (): void =>
      isSilent() ? observer.info("the server has sent no greeting yet", hint) : undefined;
    const late = hint && number === 1 ? setTimeout(inform, lateMs) : undefined;
    const greeting = await this.#control.greeting
      .finalReply()
      .catch((error: unknown) => {
        throw error instanceof NetworkFailure && isSilent() ? error.with({ hint }) : error;
      })
      .finally(() => clearTimeout(late));
    capabilities.hasAnswered = true;
    if (!isCompletion(greeting)) throw new ReplyError("the server refuses service", greeting);
    if (this.#tls && !this.#options.tls?.implicit) await this.#secure(this.#tls);
    try {
      await this.#logIn(plan);
    } catch (error) {
      const { usable, brokePipelining } = this.#control;
      if (usable || brokePipelining || error instanceof ReplyError) throw error;
      const { state } = this.#runner;
      throw hostRefusal(state) ?? hintedAtHost(error, state, capabilities);
    }
  }

  /** REIN and a new login; false if REIN is refused, or over TLS, which REIN would end (RFC 4217 §11). */
  async reinitialize(plan: Plan): Promise<boolean> {
    if (this.#tls !== undefined) return false;
    if (!isCompletion(await this.#runner.perform(reinitializeCommand))) return false;
    await this.#logIn(plan);
    return true;
  }

  async #secure(tls: TlsLayer): Promise<void> {
    const reply = await this.#runner.perform(plainCommand("AUTH TLS", 234));
    if (!isCompletion(reply)) throw tlsRefusal("the server does not offer TLS", reply);
    await this.#control.upgrade((socket) => tls.secure(socket, this.#options));
  }

  async #logIn(plan: Plan | undefined): Promise<void> {
    const { capabilities, observer } = this.#options;
    await this.#runner.reach(login, ...(plan ? [goalOf(plan)] : []));
    const warning = checkHost(this.#runner.state, capabilities);
    if (warning !== undefined) observer.warning(warning);
  }
}

/** Opens a session: connection, greeting (S1), TLS (RFC 4217) and login; and logs in again after REIN. */
import type { Socket } from "node:net";
import { TlsLayer } from "../net/tls.ts";
import type { Plan } from "../url/plan.ts";
import { hasReason, isNetworkError, networkError } from "../errors.ts";
import { isAnonymous } from "../url/anonymous.ts";
import { ControlConnection } from "./control/control-connection.ts";
import { isOfPipelining } from "./control/exchanges.ts";
import { isCompletion, ReplyError } from "./control/reply.ts";
import type { Credentials } from "./credentials.ts";
import { goalOf, login } from "./dialogue.ts";
import { explainedByHost, refusesHost } from "./host-steps.ts";
import { reinitializeCommand, tlsRefusal } from "./login-steps.ts";
import { Runner } from "./runner.ts";
import type { SessionOptions } from "./session-options.ts";
import { initialState, plainCommand } from "./state.ts";

export interface SessionParts {
  readonly control: ControlConnection;
  readonly runner: Runner;
  readonly tls: TlsLayer | undefined;
  readonly options: SessionOptions;
}

export async function openParts(
  clear: Socket,
  credentials: Credentials,
  options: SessionOptions,
): Promise<SessionParts> {
  const { server, sendHost, site, capabilities } = options;
  const tls = options.tls && new TlsLayer(server.host, options.tls);
  const isImplicit = tls !== undefined && options.tls?.implicit === true;
  const socket = isImplicit ? await tls.secure(clear, options) : clear;
  const control = new ControlConnection(socket, options);
  const { user, knownPassword: password } = credentials;
  const host = sendHost && !capabilities.isHostRefused ? server.host : undefined;
  const secured = tls !== undefined;
  const state = initialState({ host, secured, user, password, site });
  const runner = new Runner(state, control, credentials, capabilities);
  return { control, runner, tls, options };
}

export async function beginLogin(parts: SessionParts, plan: Plan | undefined): Promise<void> {
  const { control, runner, tls, options } = parts;
  const greeting = await control.greeting.finalReply();
  if (!isCompletion(greeting)) throw new ReplyError("the server refuses service", greeting);
  if (tls !== undefined && options.tls?.implicit === false) {
    const reply = await runner.perform(plainCommand("AUTH TLS", 234));
    if (!isCompletion(reply)) throw tlsRefusal("the server does not offer TLS", reply);
    await control.upgrade((socket) => tls.secure(socket, options));
  }
  await logIn(parts, plan);
}

/** Logs in again after REIN; false if REIN is refused, or over TLS, which REIN would end (RFC 4217 §13). */
export async function loginAgain(parts: SessionParts, plan: Plan): Promise<boolean> {
  if (parts.tls !== undefined) return false;
  if (!isCompletion(await parts.runner.perform(reinitializeCommand))) return false;
  await logIn(parts, plan);
  return true;
}

async function logIn(parts: SessionParts, plan: Plan | undefined): Promise<void> {
  const { control, runner, options } = parts;
  try {
    await runner.reachAhead(login, ...(plan === undefined ? [] : [goalOf(plan)]));
  } catch (error) {
    throw explained(error, parts);
  } finally {
    const isMisread = hasReason(control.failure, "misplaced reply");
    if (!isMisread && refusesHost(runner.state))
      options.capabilities.learn({ isHostRefused: true });
  }
}

function explained(error: unknown, { control, runner }: SessionParts): unknown {
  const isNamed = !isAnonymous(runner.state.user);
  // The password may have been judged.
  if (isNetworkError(error) && isNamed && control.exchanges.isPasswordUnanswered)
    return networkError(error.message, { reason: "lost at password", cause: error });
  return isOfPipelining(error) ? error : explainedByHost(error, runner.state);
}

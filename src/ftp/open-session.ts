/** Opens a session: connection, greeting (S1), TLS (RFC 4217) and login; and logs in again after REIN. */
import type { Socket } from "node:net";
import { TlsLayer } from "../net/tls.ts";
import type { Plan } from "../url/plan.ts";
import { ControlConnection } from "./control/control-connection.ts";
import { isCompletion, ReplyError } from "./control/reply.ts";
import type { Credentials } from "./credentials.ts";
import { goalOf, login } from "./dialogue.ts";
import { explainedByHost } from "./host-steps.ts";
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
  const host = sendHost ? server.host : undefined;
  const state = initialState({ host, secured: tls !== undefined, user, password, site });
  const runner = new Runner(state, control, credentials, capabilities);
  return { control, runner, tls, options };
}

export async function beginLogin(parts: SessionParts, plan: Plan | undefined): Promise<void> {
  const { control, runner, tls, options } = parts;
  await awaitGreeting(parts);
  if (tls !== undefined && options.tls?.implicit === false) {
    const reply = await runner.perform(plainCommand("AUTH TLS", 234));
    if (!isCompletion(reply)) throw tlsRefusal("the server does not offer TLS", reply);
    await control.upgrade((socket) => tls.secure(socket, options));
  }
  try {
    await logIn(parts, plan);
  } catch (error) {
    throw control.brokePipelining ? error : explainedByHost(error, runner.state);
  }
}

async function awaitGreeting({ control }: SessionParts): Promise<void> {
  const reply = await control.greeting.finalReply();
  if (!isCompletion(reply)) throw new ReplyError("the server refuses service", reply);
}

/** Logs in again after REIN; false if REIN is refused, or over TLS, which REIN would end (RFC 4217 §13). */
export async function loginAgain(parts: SessionParts, plan: Plan): Promise<boolean> {
  if (parts.tls !== undefined) return false;
  if (!isCompletion(await parts.runner.perform(reinitializeCommand))) return false;
  await logIn(parts, plan);
  return true;
}

async function logIn({ runner }: SessionParts, plan: Plan | undefined): Promise<void> {
  await runner.reach(login, ...(plan === undefined ? [] : [goalOf(plan)]));
}

/** The beginning of a session, before the login: the greeting (S1), and TLS by request. */
import type { TlsLayer } from "../net/tls.ts";
import type { ControlConnection } from "./control/control-connection.ts";
import type { Exchange } from "./control/exchanges.ts";
import { isCompletion, ReplyError } from "./control/reply.ts";
import { tlsRefusal } from "./login-steps.ts";
import type { Runner } from "./runner.ts";
import type { SessionOptions } from "./session-options.ts";
import { question } from "./state.ts";

const authCommand = question("AUTH TLS", 234);

/** Waits for the greeting; AUTH TLS is the first command (RFC 4217). @throws ReplyError */
export async function greet(
  control: ControlConnection,
  runner: Runner<Exchange>,
  tls: TlsLayer | undefined,
  limits: Pick<SessionOptions, "timeoutMs" | "signal">,
): Promise<void> {
  const greeting = await control.greeting.finalReply();
  if (!isCompletion(greeting)) throw new ReplyError("the server refuses service", greeting);
  if (tls === undefined) return;
  const reply = await runner.perform(authCommand);
  if (!isCompletion(reply)) throw tlsRefusal("the server does not offer TLS", reply);
  await control.upgrade((socket) => tls.secure(socket, limits));
}

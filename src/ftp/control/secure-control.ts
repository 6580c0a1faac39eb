/** TLS by request (RFC 4217): AUTH TLS is the first command. */
import type { TlsLayer } from "../../net/tls.ts";
import { tlsRefusal } from "../login-steps.ts";
import type { ControlConnection } from "./control-connection.ts";
import { isCompletion } from "./reply.ts";

/** Secures the control connection. @throws FtpullError "tls" or "network"; ReplyError for 421 */
export async function startTls(
  control: ControlConnection,
  tls: TlsLayer,
  signal: AbortSignal,
): Promise<void> {
  const reply = await control.request("AUTH TLS");
  if (!isCompletion(reply)) throw tlsRefusal("the server does not offer TLS", reply);
  await control.upgrade((socket) => tls.secure(socket, control.timeoutMs, signal));
}

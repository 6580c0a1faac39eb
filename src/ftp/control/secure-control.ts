/**
 * TLS by request (RFC 4217): AUTH TLS before anything else is said, and PROT P for the data.
 * Where a server refuses, nothing goes on in clear text.
 */
import { FtpullError } from "../../errors.ts";
import type { TlsLayer } from "../../net/tls.ts";
import type { ControlConnection } from "./control-connection.ts";
import {
  isCompletion,
  isNegative,
  isTransientNegative,
  quoteReply,
  replyCode,
  ReplyError,
  type Reply,
} from "./reply.ts";

/**
 * Asks for TLS and puts it around the control connection.
 * @throws FtpullError "tls" or "network"; ReplyError for 421
 */
export async function startTls(
  control: ControlConnection,
  tls: TlsLayer,
  signal: AbortSignal,
): Promise<void> {
  const reply = await control.request("AUTH TLS");
  if (!isCompletion(reply)) throw refusal("the server does not offer TLS", reply);
  await control.upgrade((socket) => tls.secure(socket, control.timeoutMs, signal));
}

/** What `protectData` will send. */
export const protectionCommands: readonly string[] = ["PBSZ 0", "PROT P"];

/** Has all data connections protected from here on. @throws FtpullError "tls" when refused */
export async function protectData(control: ControlConnection): Promise<void> {
  // Without it PROT is refused (RFC 4217 §9), and that is what is looked at.
  await control.request("PBSZ 0");
  const reply = await control.request("PROT P");
  if (!isCompletion(reply)) throw refusal("the server does not encrypt data connections", reply);
}

/** The refusal of a login in clear text by a server that says that it wants TLS. */
export function demandForTls(reply: Reply): FtpullError | undefined {
  const words = /\b(?:TLS|SSL|encrypt\w*|clear-?text)\b/i;
  if (!isNegative(reply) || !words.test(reply.lines.join(" "))) return undefined;
  const hint = "ask for TLS with --tls, or by ftpes: in place of ftp:";
  return new FtpullError("tls", `the server wants TLS: ${quoteReply(reply)}`, { hint });
}

function refusal(what: string, reply: Reply): FtpullError {
  if (reply.code === replyCode.serviceNotAvailable) return new ReplyError(what, reply);
  const transient = isTransientNegative(reply);
  return new FtpullError("tls", `${what}: ${quoteReply(reply)}`, { transient });
}

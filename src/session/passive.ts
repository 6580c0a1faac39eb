/**
 * Finding the server's data port: EPSV, else PASV (P4). LPSV is not used (RFC 5797).
 */
import { FtpullError } from "../errors.ts";
import {
  isCompletion,
  isTransientNegative,
  parse227,
  parse229,
  quoteReply,
  ReplyError,
  type Reply,
} from "./reply.ts";
import type { Habits } from "./habits.ts";

type Request = (line: string) => Promise<Reply>;

/**
 * The port at which the server waits for one data connection. The host is always the control
 * connection's: an address in the reply may be a private one or an attack (RFC 2577 §3, X3).
 * @throws ReplyError when both commands are refused, FtpullError "protocol" when a reply has no port
 */
export async function passivePort(request: Request, habits: Habits): Promise<number> {
  if (habits.extendedPassive) {
    const reply = await request("EPSV");
    const port = parse229(reply);
    if (isCompletion(reply) && port !== undefined) return port;
    if (isTransientNegative(reply)) throw new ReplyError("cannot open a data connection", reply);
    habits.extendedPassive = false;
  }
  const reply = await request("PASV");
  if (!isCompletion(reply)) throw new ReplyError("cannot open a data connection", reply);
  const address = parse227(reply);
  if (address !== undefined) return address.port;
  throw new FtpullError("protocol", `no usable port in the reply to PASV: ${quoteReply(reply)}`);
}

/** A request to a proxy and its answer, of which the socket may have more behind it. */
import type { Socket } from "node:net";
import { FtpullError, NetworkFailure, systemText } from "../errors.ts";

/** Octets of an answer: a page that some proxies send instead of one is longer. */
const most = 64 * 1024;

/**
 * Sends `request`. `lengthOf` gives the length of the answer that octets begin with, undefined while
 * that isn't known, and throws if they are none. What follows the answer stays in the socket.
 * @throws FtpullError "network", and what `lengthOf` or the socket throws
 */
export async function exchange(
  socket: Socket,
  request: Buffer,
  lengthOf: (octets: Buffer) => number | undefined,
): Promise<Buffer> {
  let octets = Buffer.alloc(0);
  socket.write(request);
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      octets = Buffer.concat([octets, chunk as Buffer]);
      const length = lengthOf(octets);
      if ((length ?? octets.length) > most) throw refusal("the proxy's answer is too long");
      if (length !== undefined) {
        socket.unshift(octets.subarray(length));
        return octets.subarray(0, length);
      }
    }
  } catch (error) {
    if (error instanceof FtpullError) throw error;
    throw new NetworkFailure(`the connection to the proxy broke: ${systemText(error)}`, error);
  }
  throw new NetworkFailure("the proxy closed the connection without an answer");
}

/** A proxy's lasting "no". */
export function refusal(message: string, hint?: string): FtpullError {
  return new FtpullError("network", message, { hint });
}

/** A request to a proxy and its answer; the socket may have more behind it. */
import type { Socket } from "node:net";
import { FtpullError, NetworkFailure, systemText } from "../errors.ts";

/** Some proxies send a page in place of an answer, which is longer. */
const most = 64 * 1024;

/**
 * Sends `request`. `lengthOf` gives the answer's length, undefined while unknown; it throws if
 * there is no answer. Octets behind the answer stay in the socket.
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

export function refusal(message: string, hint?: string): FtpullError {
  return new FtpullError("network", message, { hint });
}

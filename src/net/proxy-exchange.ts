/**
 * A request to a proxy and the answer, whose length `lengthOf` gives: undefined while unknown; it throws if the
 * octets begin no answer. Octets behind the answer stay in the socket.
 */
import type { Socket } from "node:net";
import { type ErrorDetails, FtpullError, networkError, systemText } from "../errors.ts";

export const proxySilence = "the proxy did not answer within";

const longestAnswerOctets = 64 * 1024;

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
      const isTooLong = (length ?? octets.length) > longestAnswerOctets;
      if (isTooLong) throw lastingRefusal("the proxy's answer is too long");
      if (length !== undefined) {
        socket.unshift(octets.subarray(length));
        return octets.subarray(0, length);
      }
    }
  } catch (error) {
    brokenOff(error);
  }
  throw networkError("the proxy closed the connection without an answer");
}

/** Throws the failure of a connection to a proxy. */
export function brokenOff(error: unknown): never {
  if (error instanceof FtpullError || !(error instanceof Error)) throw error;
  throw networkError(`the connection to the proxy broke: ${systemText(error)}`, { cause: error });
}

export function lastingRefusal(message: string): FtpullError {
  return new FtpullError("network", message);
}

/** The refusal of a tunnel, with what the proxy has to permit. */
export function notPermitted(words: string, details?: ErrorDetails): FtpullError {
  const needed = "it has to permit CONNECT to the server's port and to ports above 1023";
  return new FtpullError("network", `${words}; ${needed}`, details);
}

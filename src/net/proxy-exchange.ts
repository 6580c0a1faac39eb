/** One request to a proxy and its answer, of which the socket may have more behind it. */
import type { Socket } from "node:net";
import { FtpullError, NetworkFailure, systemText } from "../errors.ts";

/** Octets of an answer: a page that some proxies send instead of one is longer. */
const most = 64 * 1024;

/**
 * Sends `request`. `lengthOf` gives the length of the answer that octets begin with, undefined while
 * that isn't known, and throws if they are none. What follows the answer stays in the socket.
 * @throws FtpullError "network", and what `lengthOf` or the socket throws
 */
export function exchange(
  socket: Socket,
  request: Buffer,
  lengthOf: (octets: Buffer) => number | undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let octets: Buffer = Buffer.alloc(0);
    const read = (): void => {
      for (let chunk: Buffer | null; (chunk = socket.read() as Buffer | null) !== null;)
        octets = Buffer.concat([octets, chunk]);
      try {
        const length = lengthOf(octets);
        if (length !== undefined) return settle(() => resolve(cut(octets, length, socket)));
        if (octets.length > most) throw refusal("the proxy's answer is too long");
      } catch (error) {
        settle(() => reject(error as Error));
      }
    };
    const closed = (): void =>
      settle(() => reject(new NetworkFailure("the proxy closed the connection without an answer")));
    const broke = (error: Error): void => settle(() => reject(broken(error)));
    const settle = (then: () => void): void => {
      socket.off("readable", read).off("end", closed).off("close", closed).off("error", broke);
      then();
    };
    socket.on("readable", read).on("end", closed).on("close", closed).on("error", broke);
    socket.write(request);
  });
}

function cut(octets: Buffer, length: number, socket: Socket): Buffer {
  socket.unshift(octets.subarray(length));
  return octets.subarray(0, length);
}

function broken(error: Error): Error {
  if (error instanceof FtpullError) return error;
  return new NetworkFailure(`the connection to the proxy broke: ${systemText(error)}`, error);
}

/** A proxy's lasting "no". */
export function refusal(message: string, hint?: string): FtpullError {
  return new FtpullError("network", message, { hint });
}

/** Asks for a checksum of a file, and what becomes of a server that doesn't answer. */
import { FtpullError, Interrupted } from "../errors.ts";
import { checksumCommand } from "./checksum-steps.ts";
import { Misplaced } from "./control/exchanges.ts";
import type { Reply } from "./control/reply.ts";
import type { DocumentPlan } from "./document-steps.ts";
import type { Session } from "./session.ts";

/** How a server is asked. */
export interface ChecksumRequest {
  /** "HASH", "XMD5", ... */
  readonly command: string;
  /** What OPTS HASH has to choose before; undefined: nothing. */
  readonly hashName?: string | undefined;
}

/** The session has ended over a request: files of that size aren't asked for again. */
export class ChecksumUnanswered extends FtpullError {
  constructor(command: string, cause: unknown) {
    const words = `the server ended the session, or was silent, after ${command}`;
    super("network", words, { transient: true, cause });
  }
}

/**
 * The reply for a file of `octets` octets; undefined where none can be had, or text would be
 * converted. @throws ChecksumUnanswered, once for files of this size; as Session.enter does
 */
export async function askChecksum(
  session: Session,
  plan: DocumentPlan,
  { command, hashName }: ChecksumRequest,
  octets: number,
): Promise<Reply | undefined> {
  const { capabilities } = session;
  const { name } = await session.locate({ ...plan, asks: "nothing" });
  const asked = checksumCommand(command, name);
  const isTooLarge = octets >= (capabilities.checksumLimit ?? Infinity);
  if (asked === undefined || session.state.type !== "I" || isTooLarge) return undefined;
  let failure: unknown;
  try {
    const reply = await session.askAt({ kind: "hash", name: hashName }, asked);
    if (session.usable) return reply;
  } catch (error) {
    const isOther = error instanceof Interrupted || error instanceof Misplaced;
    if (session.usable || isOther) throw error;
    failure = error;
  }
  capabilities.checksumLimit = octets;
  throw new ChecksumUnanswered(command, failure);
}

/** Has the server compute a checksum of a document, if it offers that. */
import type { Evidence } from "../../checksums/checksum.ts";
import {
  parse213Hash,
  parseChecksumReply,
  strongestOffered,
} from "../../checksums/server-checksum.ts";
import { Interrupted, NetworkFailure } from "../../errors.ts";
import { checksumCommand, nextToHash } from "../../ftp/checksum-steps.ts";
import { Misplaced } from "../../ftp/control/exchange.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";

/** The session has ended over a request for a checksum: none is sent for so large files again. */
export class ChecksumUnanswered extends NetworkFailure {
  constructor(command: string, cause: unknown) {
    super(`the server ended the session, or was silent, after ${command}`, cause);
  }
}

/**
 * The strongest checksum that the server offers. Undefined if it can't be asked for (a document that is converted, a
 * name that can't be quoted, a file as large as one that ended a session), and for a refusal or a reply about a
 * part. @throws ChecksumUnanswered
 */
export async function serverEvidence(
  session: Session,
  plan: DocumentPlan,
  octets: number | undefined,
  request = strongestOffered(session.features),
): Promise<Evidence | undefined> {
  if (request === undefined || octets === undefined || plan.conversion !== "none") return undefined;
  const { command, algorithm, hashName } = request;
  const { capabilities } = session;
  const { name } = await session.locate({ ...plan, asks: "nothing" });
  const asked = checksumCommand(command, name);
  const isTooLarge = octets >= (capabilities.checksumLimit ?? Infinity);
  if (asked === undefined || session.state.type !== "I" || isTooLarge) return undefined;
  let failure: unknown;
  try {
    const { lines } = await session.ask(asked, (state) => nextToHash(state, hashName));
    // A reply that ends the session, such as 421, is no answer.
    if (session.usable) {
      const checksum =
        command === "HASH"
          ? parse213Hash(lines, algorithm, plan.name, octets)
          : parseChecksumReply(lines, algorithm);
      const label = `the server (${command})`;
      return checksum && { checksums: [checksum], source: command, label };
    }
  } catch (error) {
    const isUnrelated = error instanceof Interrupted || error instanceof Misplaced;
    if (session.usable || isUnrelated) throw error;
    failure = error;
  }
  capabilities.checksumLimit = octets;
  throw new ChecksumUnanswered(command, failure);
}

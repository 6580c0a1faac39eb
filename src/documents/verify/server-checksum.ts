/** Has the server compute a checksum of a document, if it offers that. */
import type { Evidence } from "../../checksums/checksum.ts";
import {
  type ChecksumCommand,
  parse213Hash,
  parseChecksumReply,
  strongestOffered,
} from "../../checksums/server-checksum.ts";
import { Interrupted, NetworkFailure } from "../../errors.ts";
import { checksumCommand, nextToHash } from "../../ftp/checksum-steps.ts";
import { Misplaced } from "../../ftp/control/exchange.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Command } from "../../ftp/state.ts";

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
  const { command, algorithm } = request;
  const { name } = await session.locate({ ...plan, asks: "nothing" });
  const line = checksumCommand(command, name);
  const isTooLarge = octets >= (session.capabilities.checksumLimit ?? Infinity);
  if (line === undefined || isTooLarge || session.state.type !== "I") return undefined;
  const lines = await replyTo(line, request, session, octets);
  const checksum =
    command === "HASH"
      ? parse213Hash(lines, algorithm, plan.name, octets)
      : parseChecksumReply(lines, algorithm);
  return checksum && { checksums: [checksum], source: command, label: `the server (${command})` };
}

async function replyTo(
  line: Command,
  { command, hashName }: ChecksumCommand,
  session: Session,
  octets: number,
): Promise<readonly string[]> {
  let cause: unknown;
  try {
    const { lines } = await session.ask(line, (state) => nextToHash(state, hashName));
    // A reply that ends the session, such as 421, is no answer.
    if (session.usable) return lines;
  } catch (error) {
    const isUnrelated = error instanceof Interrupted || error instanceof Misplaced;
    if (session.usable || isUnrelated) throw error;
    cause = error;
  }
  session.capabilities.checksumLimit = octets;
  throw new ChecksumUnanswered(command, cause);
}

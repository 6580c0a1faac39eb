/** Has the server compute a checksum of a document, where it offers that. */
import type { Checksum } from "../../checksums/checksum.ts";
import { checksumCommands, parseServerChecksum } from "../../checksums/server-checksum.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";

/**
 * The strongest one that FEAT names, for a document of `octets` octets that is transferred as it is
 * stored. A refusal, or a reply that isn't about all of it, is undefined. @throws as Session.checksum
 */
export async function serverChecksum(
  session: Session,
  plan: DocumentPlan,
  octets: number,
): Promise<Checksum | undefined> {
  const [command] = checksumCommands(session.features);
  if (command === undefined || plan.conversion !== "none") return undefined;
  const reply = await session.checksum(plan, command, octets);
  return reply && parseServerChecksum(reply.lines, command, plan.name, octets);
}

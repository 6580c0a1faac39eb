/** Has the server compute a checksum of a document, where it offers that. */
import { checksumCommand, parseServerChecksum } from "../../checksums/server-checksum.ts";
import { askChecksum } from "../../ftp/ask-checksum.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Evidence } from "./evidence.ts";

/**
 * The strongest one that FEAT names, for a document of `octets` octets that is transferred as it is
 * stored. A refusal, or a reply that isn't about all of it, is undefined. @throws as askChecksum
 */
export async function serverEvidence(
  session: Session,
  plan: DocumentPlan,
  octets: number | undefined,
): Promise<Evidence | undefined> {
  const request = checksumCommand(session.features);
  if (request === undefined || octets === undefined || plan.conversion !== "none") return undefined;
  const reply = await askChecksum(session, plan, request, octets);
  const checksum = reply && parseServerChecksum(reply.lines, request, plan.name, octets);
  const { command } = request;
  return checksum && { checksums: [checksum], source: command, label: `the server (${command})` };
}

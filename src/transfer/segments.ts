/** One file over several data connections: what is here already, what comes, and its end. */
import type { PartialDocument } from "../local/destination.ts";
import type { LocatedFile } from "../session/locate.ts";
import type { Session } from "../session/session.ts";
import { Assembly, type SizedDocument } from "./assembly.ts";
import { BeginAgain } from "./begin-again.ts";
import { Crew } from "./crew.ts";
import type { Arrival, Job, Means } from "./job.ts";
import { missingOf } from "./restart.ts";

/**
 * Retrieves what is missing of a located file of known size, over `session` and others.
 * @throws BeginAgain when what is here is of no use; ReplyError, FtpullError when the last
 *   connection has failed; FtpullError "file"; Interrupted
 */
export async function retrieveInSegments(
  session: Session,
  file: LocatedFile,
  partial: PartialDocument | undefined,
  job: Job,
  means: Means,
): Promise<Arrival> {
  const document = { url: job.shownUrl, ...file.facts } as SizedDocument;
  const missing = missingOf(partial, document.size);
  const assembly = new Assembly(document, missing, job, means);
  const resumed = assembly.octets;
  try {
    await new Crew(assembly, job, means).fetch(session, file.name);
    return { label: await assembly.finish(), octets: document.size, resumed };
  } catch (error) {
    // What several connections brought was no document: the next try has one.
    if (error instanceof BeginAgain) means.headway.single = true;
    throw error;
  } finally {
    await assembly.close();
  }
}

/**
 * Whether a document that came in several transfers is still the one that the first of them began:
 * when it was replaced meanwhile, the file can be a mixture.
 */
import { FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import type { FileFacts, LocatedFile } from "../../ftp/document-steps.ts";
import type { SessionPool } from "../../ftp/session-pool.ts";
import type { Session } from "../../ftp/session.ts";
import type { FetchContext, Job } from "../job.ts";
import { BeginAgain } from "../retry.ts";
import { checkUnchanged } from "./resume.ts";

/**
 * Asks for size and time again. Resolves with why the document may have changed, or undefined.
 * @throws BeginAgain when it has changed; Interrupted
 */
export async function doubtAbout(
  session: Session,
  { name, facts: before }: LocatedFile,
  job: Job,
  { pool }: FetchContext,
): Promise<FtpullError | undefined> {
  const ask = async (): Promise<FtpullError | undefined> => {
    try {
      const facts = session.usable ? await session.factsOf(name) : await factsElsewhere(job, pool);
      return doubtLeftBy(facts, before);
    } catch (error) {
      if (error instanceof Interrupted || error instanceof BeginAgain) throw error;
      return toFtpullError(error);
    }
  };
  const doubt = await ask();
  return doubt?.transient ? ask() : doubt;
}

/** The message about a document that counts as whole without a confirmation. */
export function unconfirmed(octets: number, { message }: FtpullError): string {
  return `all ${octets} octets arrived, but nothing shows that the document is unchanged: ${message}`;
}

function doubtLeftBy(facts: FileFacts, before: FileFacts): FtpullError | undefined {
  checkUnchanged(facts, before);
  if (facts.failure !== undefined) return facts.failure;
  const isTold = facts.modified !== undefined || before.modified === undefined;
  if (facts.size !== undefined && isTold) return undefined;
  return new FtpullError("refused", "the server doesn't tell size and time any more");
}

async function factsElsewhere(job: Job, pool: SessionPool): Promise<FileFacts> {
  const session = await pool.acquireFurther(job.url, job.plan);
  if (session === undefined)
    throw new FtpullError("network", "the server lets no more in", { transient: true });
  try {
    return (await session.locate(job.planFor(session.isUtf8))).facts;
  } finally {
    await pool.release(job.url, session);
  }
}

/** Work on a job's file over a session beside the first one. */
import { FtpullError } from "../../errors.ts";
import type { LocatedFile } from "../../ftp/document-steps.ts";
import type { SessionPool } from "../../ftp/session-pool.ts";
import type { Session } from "../../ftp/session.ts";
import type { Job } from "../job.ts";

/** Locates the file over a further session. @throws FtpullError "network" at the server's limit */
export async function overFurtherSession<T>(
  job: Job,
  pool: SessionPool,
  work: (session: Session, file: LocatedFile) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const session = await pool.acquireFurther(job.url, job.plan, signal);
  if (session === undefined)
    throw new FtpullError("network", "the server lets no more in", { transient: true });
  try {
    return await work(session, await session.locate(job.planFor(session.has("UTF8"))));
  } finally {
    await pool.release(job.url, session);
  }
}

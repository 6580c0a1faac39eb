/** Work on a file over a session beside the first one. */
import { FtpullError } from "../../errors.ts";
import type { LocatedFile } from "../../ftp/document-steps.ts";
import type { SessionPool } from "../../ftp/session-pool.ts";
import type { Session } from "../../ftp/session.ts";
import { planOver } from "../task.ts";
import type { Download } from "./download.ts";

/** Locates the file over a further session. @throws FtpullError "network" at the server's limit */
export async function overFurtherSession<T>(
  download: Download,
  pool: SessionPool,
  work: (session: Session, file: LocatedFile) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const session = await pool.acquireFurther(download.url, download.plan, signal);
  if (session === undefined)
    throw new FtpullError("network", "the server lets no more in", { transient: true });
  try {
    const plan = { ...planOver(session, download), known: undefined };
    return await work(session, await session.locate(plan));
  } finally {
    await pool.release(download.url, session);
  }
}

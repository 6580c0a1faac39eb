/** Checks that a document that came in several transfers has not changed: the file could be a mixture. */
import { FtpullError, Interrupted, NetworkFailure, toFtpullError } from "../../errors.ts";
import type { Version } from "../../files/destination.ts";
import type { Facts, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { BeginAgain } from "../retry.ts";
import { certainPlan, planOver } from "../task.ts";
import type { DocumentFile } from "./document-file.ts";
import { checkCommon, checkUnchanged, hasOnlyGrown, receivedMore } from "./resume.ts";

/**
 * Asks for size and time again. Without an answer, octets that came in order count as whole: each
 * transfer was compared with the one before. @throws BeginAgain when the document has changed
 */
export async function confirm(
  session: Session,
  name: string,
  file: DocumentFile,
  { hasOctetsBehindEnd = false } = {},
): Promise<void> {
  const { version, download, connections, tries } = file;
  let hasGrown = false;
  const factsNow = async (): Promise<Facts> => {
    const facts = session.usable
      ? await session.askFacts(name)
      : await overFurtherSession(file, async (_, located) => located.facts);
    if (download.beforeGrowth === undefined || !hasOnlyGrown(facts, version)) return facts;
    const grown = `the document has grown to ${facts.size} octets`;
    tries.say(`${grown}: the first ${version.size} are saved`);
    hasGrown = true;
    return { ...facts, size: version.size, modified: version.modified };
  };
  let doubt = await doubtAbout(version, factsNow);
  if (doubt?.transient) doubt = await doubtAbout(version, factsNow);
  if (hasOctetsBehindEnd && !hasGrown) throw receivedMore(version.size);
  if (doubt === undefined) return;
  // A checksum would show a change; a refusal would come again in the next try.
  const isFinal = doubt.kind === "refused" && !doubt.transient;
  if (connections !== undefined && !isFinal && download.verification.checksums.length === 0) {
    const message = `the server couldn't say whether the document has changed: ${doubt.message}`;
    throw doubt.with({ message, transient: true });
  }
  const text = "octets arrived, but nothing shows that the document is unchanged";
  tries.observer.info(`all ${version.size} ${text}: ${doubt.message}`);
}

async function doubtAbout(before: Version, ask: () => Promise<Facts>) {
  try {
    const facts = await ask();
    checkCommon(facts, before);
    if (facts.failure === undefined && facts.size === undefined)
      return new FtpullError("refused", "the server doesn't tell size and time any more");
    checkUnchanged(facts, before);
    return undefined;
  } catch (error) {
    if (error instanceof Interrupted || error instanceof BeginAgain) throw error;
    return toFtpullError(error);
  }
}

export async function overFurtherSession<T>(
  { download, tries: { login } }: DocumentFile,
  work: (session: Session, file: LocatedFile) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const session = await login.server.acquireFurther(login, certainPlan(download.document), signal);
  if (session === undefined) throw new NetworkFailure("the server lets no more in");
  try {
    const plan = { ...planOver(session, download.document), asks: undefined };
    return await work(session, await session.locate(plan));
  } finally {
    await login.server.release(session);
  }
}

/** One document over one session: chooses between file and listing (P5-P8, P10). */
import { FtpullError } from "../errors.ts";
import { isMissing, quoteName, saysNothingThere } from "../ftp/control/reply.ts";
import type { LocatedFile } from "../ftp/document-steps.ts";
import type { Session } from "../ftp/session.ts";
import { quoteForShell } from "../url/format.ts";
import { conversionFor, type Plan } from "../url/plan.ts";
import type { AttemptState } from "./attempt-state.ts";
import { retrieveFile } from "./file/retrieve.ts";
import type { Job, FetchContext, Skip } from "./job.ts";
import { fetchListing } from "./list.ts";
import { lookAt } from "./spider/look.ts";

/** Fetches the job's document; resolves with why it was skipped, or with undefined. */
export async function fetchDocument(
  session: Session,
  job: Job,
  context: FetchContext,
): Promise<Skip | undefined> {
  const plan = job.planFor(session.has("UTF8"));
  const isOfTree = plan.action === "list" && job.branch?.list !== undefined;
  if (job.inventory !== undefined && !isOfTree)
    return lookAt(session, plan, job, job.inventory, context);
  if (plan.action === "list") {
    await list(session, plan, job, context);
    return undefined;
  }
  const file = await locate(session, plan, job, context.state);
  context.state.facts = file.facts;
  if (job.branch?.leavesFilesOut)
    return file.facts.size === undefined ? listInstead(session, plan, job, context) : "left out";
  // A time that the server has told before counts if it doesn't tell it again.
  const { modified = job.branch?.facts?.modified } = file.facts;
  const listed = withListedSize(file, job);
  // The listed size alone leaves no file.
  const { size } = modified === undefined ? file.facts : listed.facts;
  const skipped = await job.skips?.({ ...file.facts, size, modified });
  if (skipped !== undefined) return skipped;
  try {
    const sent = { ...plan, conversion: conversionFor(plan, session.type) };
    await retrieveFile(session, sent, listed, job, context);
    context.state.end(true);
  } catch (error) {
    context.state.end(false);
    if (!isMissing(error)) throw error;
    if (file.refusal !== undefined) throw file.refusal;
    if (plan.action === "retrieve") throw error;
    return listInstead(session, plan, job, context, error);
  }
  return undefined;
}

/** A directory of a tree becomes further jobs. */
function list(session: Session, plan: Plan, job: Job, context: FetchContext): Promise<void> {
  const listing = job.branch?.list?.(session, plan, job, context);
  return listing ?? fetchListing(session, plan, job, context.state);
}

/** In the first try, exact facts of a directory's listing take the place of SIZE's and MDTM's. */
async function locate(
  session: Session,
  plan: Plan,
  job: Job,
  { facts: earlier }: AttemptState,
): Promise<LocatedFile> {
  const known = earlier === undefined ? plan.known : undefined;
  const facts = known && job.branch?.facts;
  const file = await session.locate({ ...plan, known });
  return facts === undefined ? file : { ...file, facts };
}

/** Where SIZE was refused, a transfer that is cut would pass for a whole one. */
function withListedSize(file: LocatedFile, { branch }: Job): LocatedFile {
  return { ...file, facts: { ...file.facts, size: file.facts.size ?? branch?.listedSize } };
}

/** The name may be a directory's; otherwise the error is about the file (P8). */
async function listInstead(
  session: Session,
  plan: Plan,
  job: Job,
  context: FetchContext,
  refusal?: Error,
): Promise<Skip | undefined> {
  const { state, observer } = context;
  const directory = { ...plan, cwds: [...plan.cwds, plan.name], name: "" };
  try {
    await session.enter(directory.cwds);
  } catch (error) {
    const final = error instanceof FtpullError && error.kind === "refused" && !error.transient;
    if (!final) throw error;
    const isNothing = state.facts?.size === undefined && (!refusal || saysNothingThere(refusal));
    if (!job.branch?.isLink || !isNothing) throw refusal ?? error;
    if (!saysNothingThere(error)) throw error;
    observer.warning(`${job.shownUrl}: the link leads nowhere`);
    await job.destination.keep(); // releases the name that -c has reserved
    return "left out";
  }
  if (!job.listsInstead) {
    const hint = `list it with a URL that ends in a slash: ${quoteForShell(`${job.shownUrl}/`)}`;
    throw new FtpullError("refused", `${quoteName(plan.name)} is a directory`, { hint });
  }
  await job.destination.keep(); // as above
  state.facts = undefined;
  await list(session, { ...directory, action: "list", type: undefined }, job, context);
  return undefined;
}

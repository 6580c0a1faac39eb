/** One document over one session: chooses between file and listing (P5-P8, P10). */
import { FtpullError } from "../errors.ts";
import { isMissing, quoteName } from "../ftp/control/reply.ts";
import type { Session } from "../ftp/session.ts";
import { quoteForShell } from "../url/format.ts";
import { conversionFor, type Plan } from "../url/plan.ts";
import type { AttemptState } from "./attempt-state.ts";
import { retrieveFile } from "./file/retrieve.ts";
import type { Job, FetchContext } from "./job.ts";
import { fetchListing } from "./list.ts";

/** Fetches the job's document; resolves with why it was skipped, or with undefined. */
export async function fetchDocument(
  session: Session,
  job: Job,
  context: FetchContext,
): Promise<string | undefined> {
  const plan = job.planFor(session.isUtf8);
  if (plan.action === "list") {
    await fetchListing(session, plan, job, context.state);
    return undefined;
  }
  const file = await session.locate(plan);
  context.state.facts = file.facts;
  const skipped = await job.skips?.(file.facts);
  if (skipped !== undefined) return skipped;
  try {
    const sent = { ...plan, conversion: conversionFor(plan, session.type) };
    await retrieveFile(session, sent, file, job, context);
    context.state.end(true);
  } catch (error) {
    context.state.end(false);
    if (!isMissing(error)) throw error;
    if (file.refusal !== undefined) throw file.refusal;
    if (plan.action === "retrieve") throw error;
    await listInstead(session, plan, job, context.state, error);
  }
  return undefined;
}

/** The name may be a directory's; otherwise the error is about the file (P8). */
async function listInstead(
  session: Session,
  plan: Plan,
  job: Job,
  state: AttemptState,
  refusal: Error,
): Promise<void> {
  const directory = { ...plan, cwds: [...plan.cwds, plan.name], name: "" };
  try {
    await session.enter(directory.cwds);
  } catch (error) {
    const final = error instanceof FtpullError && error.kind === "refused" && !error.transient;
    throw final ? refusal : error;
  }
  if (!job.listsInstead) {
    const hint = `list it with a URL that ends in a slash: ${quoteForShell(`${job.shownUrl}/`)}`;
    throw new FtpullError("refused", `${quoteName(plan.name)} is a directory`, { hint });
  }
  await job.destination.keep(); // releases the name that -c has reserved
  state.facts = undefined;
  return fetchListing(session, { ...directory, action: "list", type: undefined }, job, state);
}

/** Asks whether a name is a file's, a directory's or nothing, without retrieving or listing it. */
import { FtpullError } from "../../errors.ts";
import { quoteName, replyCode, ReplyError } from "../../ftp/control/reply.ts";
import type { DocumentPlan, Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { plainCommand } from "../../ftp/state.ts";
import type { Entry } from "../../listing/entry.ts";
import { LineSplitter } from "../../listing/line-splitter.ts";
import { listingParser } from "../../listing/parse-listing.ts";
import { parseMlsdLine } from "../../listing/parse-mlsd.ts";
import { planInside } from "../task.ts";

export type Kind =
  | { readonly kind: "file"; readonly facts: Facts }
  | { readonly kind: "directory" }
  | { readonly kind: "nothing"; readonly refusal: FtpullError };

/** A file is shown by SIZE, MLST or MDTM, a directory by CWD. NLST, which is asked last, also shows links that lead nowhere. */
export async function kindOf(
  session: Session,
  plan: DocumentPlan,
  { asksNlst }: { readonly asksNlst: boolean },
): Promise<Kind> {
  // SIZE counts the bytes of the image alone.
  const { name, facts } = await session.locate({ ...plan, type: "I" });
  if (facts.size !== undefined) return file(facts);
  if (facts.failure !== undefined) throw facts.failure;
  const entry = session.features.has("MLST") ? await entryOf(session, name) : undefined;
  if (entry?.type === "file")
    return file({ size: entry.size, modified: entry.modified, source: "server" });
  const mayBeDirectory = plan.action !== "retrieve";
  const refusal = mayBeDirectory ? await refusalToEnter(session, plan) : undefined;
  if (mayBeDirectory && refusal === undefined) return { kind: "directory" };
  const isFile = facts.modified !== undefined || (asksNlst && (await isListed(session, name)));
  if (isFile) return file(facts);
  const what = `there is no ${quoteName(plan.name)}`;
  if (refusal === undefined) return nothing(new FtpullError("refused", what));
  return nothing(asksNlst ? new ReplyError(what, refusal.reply) : refusal);
}

const file = (facts: Facts): Kind => ({ kind: "file", facts });
const nothing = (refusal: FtpullError): Kind => ({ kind: "nothing", refusal });

/** The server's refusal to enter the name as a directory; undefined in the directory. */
export async function refusalToEnter(session: Session, plan: DocumentPlan) {
  try {
    await session.enter(planInside(plan).cwds);
    return undefined;
  } catch (error) {
    if (error instanceof ReplyError && error.kind === "refused" && !error.transient) return error;
    throw error;
  }
}

/** Undefined if MLST is refused (RFC 3659 §7). */
async function entryOf(session: Session, name: string): Promise<Entry | undefined> {
  const { lines } = await session.ask(plainCommand(`MLST ${name}`, 250));
  const line = lines.length === 3 ? lines[1] : undefined;
  return line === undefined ? undefined : parseMlsdLine(line.replace(/^ /, ""));
}

/** NLST would read "-x" as options. */
async function isListed(session: Session, name: string): Promise<boolean> {
  if (name.startsWith("-")) return false;
  const last = name.slice(name.lastIndexOf("/") + 1);
  const parse = listingParser("NLST", new Date());
  let isShown = false; // Some servers put an error message into the data.
  const lines = new LineSplitter((line) => (isShown ||= parse(line)?.name === last));
  try {
    const { error } = await session.list(`NLST ${name}`, (chunk) => lines.push(chunk));
    lines.end();
    return error === undefined && isShown;
  } catch (error) {
    if (!(error instanceof ReplyError)) throw error;
    // 450 is common where nothing matches.
    if (error.transient && error.reply.code !== replyCode.fileBusy) throw error;
    return false;
  }
}

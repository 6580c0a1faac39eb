/** --spider: asks whether a document is there, and for its facts, without fetching it. */
import { FtpullError } from "../../errors.ts";
import { quoteName, replyCode, ReplyError, saysNothingThere } from "../../ftp/control/reply.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { plainCommand } from "../../ftp/state.ts";
import type { Entry } from "../../listing/entry.ts";
import { LineSplitter } from "../../listing/line-splitter.ts";
import { listingParser } from "../../listing/parse-listing.ts";
import { parseMlsdLine } from "../../listing/parse-mlsd.ts";
import type { Plan } from "../../url/plan.ts";
import type { Tries } from "../task-tries.ts";
import type { Result } from "../result.ts";
import { type Document, planInside, planOver, type Task } from "../task.ts";
import type { Below } from "../tree/tree.ts";
import type { Inventory } from "./inventory.ts";

export class LookTask implements Task {
  readonly document: Document;
  readonly #inventory: Inventory;
  readonly #below: Below | undefined;
  /** Prints the line of a link to a file that a run would keep. */
  readonly #listed: Task | undefined;
  #isDirectory = false;

  constructor(document: Document, inventory: Inventory, below?: Below, listed?: Task) {
    this.document = document;
    this.#inventory = inventory;
    this.#below = below;
    this.#listed = listed;
  }

  async run(session: Session, tries: Tries): Promise<Result | undefined> {
    const { shownUrl } = this.document;
    const plan = planOver(session, this.document);
    const { isLink = false, patterns = [], parent } = this.#below?.directory ?? {};
    const found = plan.action === "list" ? undefined : await findFile(session, plan, isLink);
    if (found instanceof FtpullError) {
      if (!isLink || !saysNothingThere(found)) throw found;
      if (patterns.length === 0) tries.observer.warning(`${shownUrl}: the link leads nowhere`);
      return undefined;
    }
    const isDirectory = found === undefined;
    if (isDirectory) await session.enter(planInside(plan).cwds);
    if (!this.#isWanted(found)) return undefined;
    if (!isDirectory && this.#listed !== undefined) return this.#listed.run(session, tries);
    this.#isDirectory = isDirectory;
    const { size, modified } = found ?? {};
    const label = this.#below?.directory.label ?? shownUrl;
    // A tree's top has no line, nor has a link that only a pattern for names inside matches.
    if (label !== "" && parent?.isOnTheWay !== true)
      this.#inventory.print({ isDirectory, size, modified }, label);
    await this.#inventory.caughtUp();
    if (isDirectory && this.#below !== undefined) return undefined;
    if (isDirectory)
      tries.observer.info(`${shownUrl}: a directory is there; -r counts what is in it`);
    return { url: shownUrl, status: "done", exit: 0, size, modified };
  }

  further(): Iterator<Task> | undefined {
    return this.#isDirectory && this.#below ? [this.#below.task].values() : undefined;
  }

  #isWanted(found: Facts | undefined): boolean {
    if (this.#below === undefined) return true;
    const { place, options } = this.#below.directory;
    if (found === undefined) return place.wanted.isDirectory;
    return place.wanted.isFile && options.selection.hasTime(found.modified);
  }
}

/** Facts of a file; undefined for a directory; a failure if the name is neither. */
export async function findFile(
  session: Session,
  plan: Plan,
  isLink: boolean,
): Promise<Facts | FtpullError | undefined> {
  // SIZE counts the octets of the image alone.
  const { name, facts } = await session.locate({ ...plan, type: "I" });
  if (facts.size !== undefined) return facts;
  if (facts.failure !== undefined) throw facts.failure;
  const entry = session.features.has("MLST") ? await entryOf(session, name) : undefined;
  if (entry?.type === "file")
    return { size: entry.size, modified: entry.modified, source: "server" };
  const refusal =
    plan.action === "retrieve"
      ? undefined
      : await session.enter(planInside(plan).cwds).then(() => "entered" as const, asRefusal);
  if (refusal === "entered") return undefined;
  // NLST also shows links that lead nowhere.
  if (facts.modified !== undefined || (!isLink && (await isListed(session, name)))) return facts;
  const what = `there is no ${quoteName(plan.name)}`;
  if (refusal === undefined) return new FtpullError("refused", what);
  return isLink ? refusal : new ReplyError(what, refusal.reply);
}

/** Undefined if MLST is refused (RFC 3659 §7). */
async function entryOf(session: Session, name: string): Promise<Entry | undefined> {
  const { lines } = await session.ask(plainCommand(`MLST ${name}`, 250));
  const line = lines.length === 3 ? lines[1] : undefined;
  return line === undefined ? undefined : parseMlsdLine(line.replace(/^ /, ""));
}

function asRefusal(error: unknown): ReplyError {
  if (error instanceof ReplyError && error.kind === "refused" && !error.transient) return error;
  throw error;
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

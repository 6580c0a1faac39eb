/** --spider: whether a document is there, and what the server tells of it. Nothing is fetched. */
import { FtpullError } from "../../errors.ts";
import { quoteName, replyCode, ReplyError, saysNothingThere } from "../../ftp/control/reply.ts";
import type { FileFacts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { plainCommand } from "../../ftp/state.ts";
import type { Entry } from "../../listing/entry.ts";
import { parseMlsdLine } from "../../listing/parse-mlsd.ts";
import type { Plan } from "../../url/plan.ts";
import type { Attempt } from "../attempt.ts";
import type { Result } from "../result.ts";
import {
  type Document,
  DocumentTask,
  type Kept,
  planInside,
  planOver,
  type Task,
} from "../task.ts";
import type { Either } from "../tree/link-task.ts";
import type { Inventory } from "./inventory.ts";

export class LookTask extends DocumentTask implements Task {
  readonly #inventory: Inventory;
  readonly #either: Either | undefined;
  #facts: FileFacts | undefined;

  /** `either` is for what stands in a tree. */
  constructor(document: Document, inventory: Inventory, either?: Either) {
    super(document);
    this.#inventory = inventory;
    this.#either = either;
  }

  /** Prints its line, or those of a tree. @throws FtpullError "refused" if it is missing */
  async run(session: Session, attempt: Attempt): Promise<Result | undefined> {
    const plan = planOver(session, this);
    const { cwds: inside } = planInside(plan);
    const isLink = this.#either?.isLink === true;
    const found =
      plan.action === "list" ? undefined : await findFile(session, plan, inside, isLink);
    if (found === "missing" || found instanceof ReplyError) {
      if (found === "missing" || !isLink) throw missing(plan.name, found);
      if (!saysNothingThere(found)) throw found;
      attempt.observer.warning(`${this.shownUrl}: the link leads nowhere`);
      return undefined;
    }
    if (found === undefined) await session.enter(inside);
    this.#facts = found;
    if (!this.#isWanted(found)) return undefined;
    await this.#print(found);
    if (found === undefined && this.#either !== undefined)
      return this.#either.directory.list(session, plan);
    return { url: this.shownUrl, status: "done", exit: 0, ...factsOf(found) };
  }

  async kept(): Promise<Kept> {
    return factsOf(this.#facts);
  }

  further(): Iterator<Task> | undefined {
    return this.#either?.directory.further();
  }

  end(): void {
    this.#either?.directory.end();
  }

  #isWanted(found: FileFacts | undefined): boolean {
    if (this.#either === undefined) return true;
    const { wanted, directory } = this.#either;
    if (found === undefined) return wanted.isDirectory;
    return wanted.isFile && directory.tree.options.selection.hasTime(found.modified);
  }

  /** A tree's top has no line. */
  async #print(found: FileFacts | undefined): Promise<void> {
    const label = this.#either === undefined ? this.shownUrl : this.#either.directory.place.label;
    if (label === "") return;
    const entry = { ...factsOf(found), isDirectory: found === undefined, modifiedExact: true };
    const name = found === undefined ? label.replace(/\/$/, "") : label;
    const line = this.#inventory.lineOf(entry, name);
    await this.#inventory.turns.take(() => this.#inventory.write(line));
  }
}

function factsOf({ size, modified }: Partial<FileFacts> = {}) {
  return { size, modified };
}

/** Facts of a file; undefined for a directory; "missing", or why it can't be entered either. */
async function findFile(
  session: Session,
  plan: Plan,
  inside: readonly string[],
  isLink: boolean,
): Promise<FileFacts | undefined | "missing" | ReplyError> {
  // SIZE counts the octets of the image alone.
  const { name, facts } = await session.locate({ ...plan, type: "I", known: undefined });
  if (facts.size !== undefined) return facts;
  if (facts.failure !== undefined) throw facts.failure;
  const entry = session.features.has("MLST") ? await entryOf(session, name) : undefined;
  if (entry?.type === "file") return { size: entry.size, modified: entry.modified };
  const refusal = plan.action === "retrieve" ? undefined : await refusalToEnter(session, inside);
  if (refusal === "entered") return undefined;
  // NLST also shows links that lead nowhere.
  if (facts.modified !== undefined || (!isLink && (await isListed(session, name)))) return facts;
  return refusal ?? "missing";
}

/** What MLST says of a name in the working directory; undefined if refused (RFC 3659 §7). */
async function entryOf(session: Session, name: string): Promise<Entry | undefined> {
  const { lines } = await session.ask(plainCommand(`MLST ${name}`, 250));
  const line = lines.length === 3 ? lines[1] : undefined;
  return line === undefined ? undefined : parseMlsdLine(line.replace(/^ /, ""));
}

async function refusalToEnter(
  session: Session,
  cwds: readonly string[],
): Promise<ReplyError | "entered"> {
  try {
    await session.enter(cwds);
    return "entered";
  } catch (error) {
    if (!(error instanceof ReplyError) || error.kind !== "refused" || error.transient) throw error;
    return error;
  }
}

/** Whether NLST shows the name; "-x" would be read as options. */
async function isListed(session: Session, name: string): Promise<boolean> {
  if (name.startsWith("-")) return false;
  let text = "";
  try {
    const { completed } = await session.list(`NLST ${name}`, (chunk) => {
      text = (text + chunk.toString("latin1")).slice(0, longestAnswer);
    });
    const last = name.slice(name.lastIndexOf("/") + 1);
    const lines = text.split(/\r?\n/).map((line) => line.slice(line.lastIndexOf("/") + 1));
    // Some servers put an error message into the data.
    return completed && lines.includes(last);
  } catch (error) {
    if (!(error instanceof ReplyError)) throw error;
    // 450 is common where nothing matches.
    if (error.transient && error.reply.code !== replyCode.fileBusy) throw error;
    return false;
  }
}

const longestAnswer = 64 * 1024;

function missing(name: string, refusal: ReplyError | "missing"): FtpullError {
  const what = `there is no ${quoteName(name)}`;
  return refusal === "missing"
    ? new FtpullError("refused", what)
    : new ReplyError(what, refusal.reply);
}

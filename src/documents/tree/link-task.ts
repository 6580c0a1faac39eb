/**
 * Fetches or lists an entry of a tree, or its top, that may be a file or a directory: the server shows which.
 * A link that leads into its tree becomes a local link; what it leads to is fetched in its own place.
 */
import { FtpullError, systemText } from "../../errors.ts";
import { ifPossible } from "../../files/file-error.ts";
import { found, isTaken } from "../../files/regular-file.ts";
import { leadsSomewhere, linkTarget, makeLink, NoLinks } from "../../files/tree-link.ts";
import { saysNothingThere } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import type { FileRules, Listable, Target } from "../file/download.ts";
import { FileTask } from "../file/file-task.ts";
import { findFile } from "../file/find-file.ts";
import type { Result } from "../result.ts";
import type { Tries } from "../task-tries.ts";
import { type Document, planOver, type Skip, type Task } from "../task.ts";
import { isLinkWanted, type KeptLink, type Kind } from "./kept-links.ts";
import type { Below } from "./tree.ts";

export class LinkTask extends FileTask {
  readonly #below: Below;
  readonly #kept: KeptLink | undefined;
  #isFollowed = false;
  #isDirectory = false;

  constructor(document: Document, target: Target, rules: FileRules, below: Below, kept?: KeptLink) {
    const list: Listable["list"] = async (_session, _plan, refusal) => this.#noteDirectory(refusal);
    super(document, target, rules, { directory: { list }, isInTree: true });
    this.#below = below;
    this.#kept = kept;
  }

  get isTop(): boolean {
    return this.#below.directory.parent === undefined;
  }

  override skip(): Skip | undefined {
    const kept = this.#kept;
    if (kept === undefined) return super.skip();
    if (this.rules.keepsExisting && isTaken(this.path)) return this.#result(kept, "exists");
    const kind = kept.kind ?? kindByLocalLink(kept, this.path);
    const needsTime = kind === "file" && this.#below.tree.options.selection.hasTimes;
    if (kind === undefined || needsTime) return undefined;
    return this.#keep(kept, kind);
  }

  override async run(session: Session, tries: Tries): Promise<Result | undefined> {
    if (this.#kept !== undefined && !this.#isFollowed) {
      const skip = await this.#askAndKeep(this.#kept, session);
      if (skip !== undefined) return resultOf(skip);
    }
    if (this.#below.directory.place.wanted.isFile) return super.run(session, tries);
    const plan = planOver(session, this.document);
    const { facts } = await this.locate(session, plan);
    return facts.size === undefined ? this.listInstead(session, plan) : undefined;
  }

  further(): Iterator<Task> | undefined {
    const { tree, directory, task } = this.#below;
    const { entry } = directory.place;
    if (this.#isDirectory) return [task].values();
    if (entry !== undefined) tree.count.ended(entry);
    if (directory.parent?.wantsFiles) tree.hasFileMatch = true;
    return undefined;
  }

  override get isThere(): boolean {
    return super.isThere && found(this.path)?.isDirectory() !== true;
  }

  protected override async notFound(error: Error, refusal?: Error): Promise<Result | undefined> {
    const { tree, directory } = this.#below;
    tree.circles.refused(directory);
    // A link to a file may match a pattern for directories: it is left out without a warning.
    const isLeftOut = directory.isLink && directory.patterns.length > 0;
    if (!isLeftOut) this.#requireNowhere(error, refusal);
    await this.destination.keep(); // gives back the name that -c has reserved
    return this.#kept && resultOf(this.#make(this.#kept, "file"));
  }

  /** Warns of a link that leads nowhere. @throws the server's refusal of any other name */
  #requireNowhere(ofDirectory: Error, ofFile: Error | undefined): void {
    const hasSize = this.facts?.size !== undefined;
    const mayBeFile = hasSize || (ofFile !== undefined && !saysNothingThere(ofFile));
    if (mayBeFile || !this.#below.directory.isLink) throw ofFile ?? ofDirectory;
    if (!saysNothingThere(ofDirectory)) throw ofDirectory;
    this.#warnOfNowhere();
  }

  #noteDirectory(refusal: Error | undefined): undefined {
    const { directory } = this.#below;
    if (directory.parent !== undefined && !directory.isLink) directory.refusal = refusal;
    this.#isDirectory = true;
  }

  /** Asks for the target by its pathname: the link itself may lead elsewhere than its text. */
  async #askAndKeep(kept: KeptLink, session: Session): Promise<Skip | undefined> {
    // Where SIZE tells nothing, a name that NLST shows is taken for a file's.
    const asksNlst = !session.features.has("SIZE");
    const target = await findFile(session, kept.plan, { asksNlst });
    if (target === undefined) return this.#keep(kept, "directory");
    if (!(target instanceof FtpullError)) return this.#keep(kept, "file", target.modified);
    // Where the same link is here, an earlier run has followed it: it leads nowhere.
    if (linkTarget(this.path) !== kept.target) return this.#follow();
    this.#warnOfNowhere();
    return this.#make(kept, "file");
  }

  #keep(kept: KeptLink, kind: Kind, modified?: Date): Skip | undefined {
    if (!kept.isInRun[kind]) return this.#follow();
    if (kind === "file" && !this.rules.hasTime(modified)) return "left out";
    const made = this.#make(kept, kind);
    if (made === undefined) return this.#follow();
    if (made !== "left out" && !leadsSomewhere(this.path))
      this.#below.tree.early.set(this.document.shownUrl, this.path);
    return made;
  }

  #follow(): Skip | undefined {
    this.#isFollowed = true;
    return super.skip();
  }

  /** Undefined where the file system has no links. @throws FtpullError "file" */
  #make(kept: KeptLink, kind: Kind): Skip | undefined {
    const { tree, directory } = this.#below;
    if (!isLinkWanted(directory.place.wanted, kind)) return "left out";
    try {
      const isForced = this.rules.isToFetch === undefined;
      const isNew = makeLink(this.path, kept.target, this.rules.top, isForced);
      tree.options.checksums.expected?.hasLink(directory.label, this.path);
      return this.#result(kept, isNew ? undefined : "unchanged");
    } catch (error) {
      if (!(error instanceof NoLinks)) throw error;
      const words = `${error.message}: ${systemText(error.cause)}: its content is fetched`;
      if (tree.links === "keep") tree.options.observer.info(words);
      tree.links = "follow";
      return undefined;
    }
  }

  #result({ target }: KeptLink, reason?: "exists" | "unchanged"): Result {
    const { path: file, document } = this;
    const made = { url: document.shownUrl, exit: 0, octets: 0, file, link: target, inTree: true };
    if (reason === undefined) return { ...made, status: "done" };
    const words = reason === "exists" ? "there already" : reason;
    return { ...made, status: "skipped", reason, explanation: `"${file}" is ${words}` };
  }

  #warnOfNowhere(): void {
    this.#below.tree.options.observer.warning(`${this.document.shownUrl}: the link leads nowhere`);
  }
}

function resultOf(skip: Skip | undefined): Result | undefined {
  return skip === "left out" ? undefined : skip;
}

/** The kind of target of the same local link, which an earlier run has made: that run asked the server. */
function kindByLocalLink({ target }: KeptLink, path: string): Kind | undefined {
  const isHere = linkTarget(path) === target;
  const here = isHere ? ifPossible(() => found(path)) : undefined;
  if (here === undefined) return undefined;
  return here.isDirectory() ? "directory" : "file";
}

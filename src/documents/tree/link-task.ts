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
import type { KeptLink, Kind } from "./kept-links.ts";
import type { Below } from "./tree.ts";

/** The fate of a link that may be kept: a local link's result, nothing, or its target is fetched. */
type Outcome = Skip | "followed";

export class LinkTask extends FileTask {
  readonly #below: Below;
  readonly #kept: KeptLink | undefined;
  /** True once it is known that no local link is made. */
  #isFollowed: boolean;
  #isDirectory = false;

  /** With `kept`, a local link is made, unless what it leads to is left out of the run. */
  constructor(document: Document, target: Target, rules: FileRules, below: Below, kept?: KeptLink) {
    const list: Listable["list"] = async (_session, _plan, refusal) => {
      const { directory } = below;
      if (directory.parent !== undefined && !directory.isLink) directory.refusal = refusal;
      this.#isDirectory = true;
      return undefined;
    };
    super(document, target, rules, { directory: { list }, isInTree: true });
    this.#below = below;
    this.#kept = kept;
    this.#isFollowed = kept === undefined;
  }

  get isTop(): boolean {
    return this.#below.directory.parent === undefined;
  }

  override skip(): Skip | undefined {
    if (this.#kept === undefined) return super.skip();
    if (this.rules.keepsExisting && isTaken(this.path)) return this.#result(this.#kept, "exists");
    const kind = knownKind(this.#kept, this.path);
    const { hasTimes } = this.#below.tree.options.selection;
    if (kind === undefined || (kind === "file" && hasTimes)) return undefined;
    return this.#skipFollowed(this.#keep(this.#kept, kind));
  }

  override async run(session: Session, tries: Tries): Promise<Result | undefined> {
    if (this.#kept !== undefined && !this.#isFollowed) {
      const skip = this.#skipFollowed(await this.#keepOrFollow(this.#kept, session));
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
    return undefined;
  }

  protected override get isThere(): boolean {
    return super.isThere && found(this.path)?.isDirectory() !== true;
  }

  protected override async notFound(error: Error, refusal?: Error): Promise<Result | undefined> {
    const { tree, directory } = this.#below;
    tree.circles.refused(directory);
    const isNothing = this.facts?.size === undefined && (!refusal || saysNothingThere(refusal));
    // A link to a file may match a pattern for directories: it is left out without a warning.
    const isPassed = directory.isLink && directory.patterns.length > 0;
    if (!isPassed) {
      if (!directory.isLink || !isNothing) throw refusal ?? error;
      if (!saysNothingThere(error)) throw error;
      this.#warnOfNowhere();
    }
    await this.destination.keep(); // gives back the name that -c has reserved
    return this.#kept && resultOf(this.#make(this.#kept, "file"));
  }

  #skipFollowed(outcome: Outcome): Skip | undefined {
    if (outcome !== "followed") return outcome;
    this.#isFollowed = true;
    return super.skip();
  }

  /** Asks for the target by its pathname: the link itself may lead elsewhere than its text. */
  async #keepOrFollow(kept: KeptLink, session: Session): Promise<Outcome> {
    // Where SIZE tells nothing, a name that NLST shows is taken for a file's.
    const asksNlst = !session.features.has("SIZE");
    const target = await findFile(session, kept.plan, { asksNlst });
    if (target === undefined) return this.#keep(kept, "directory");
    if (!(target instanceof FtpullError)) return this.#keep(kept, "file", target.modified);
    // Where the same link is here, an earlier run has followed it: it leads nowhere.
    if (linkTarget(this.path) !== kept.target) return "followed";
    this.#warnOfNowhere();
    return this.#make(kept, "file");
  }

  #keep(kept: KeptLink, kind: Kind, modified?: Date): Outcome {
    if (!kept.isInRun[kind]) return "followed";
    if (kind === "file" && !this.rules.hasTime(modified)) return "left out";
    const outcome = this.#make(kept, kind);
    if (typeof outcome === "object" && !leadsSomewhere(this.path))
      this.#below.tree.early.set(this.document.shownUrl, this.path);
    return outcome;
  }

  /** @throws FtpullError "file" */
  #make(kept: KeptLink, kind: Kind): Outcome {
    const { tree, directory } = this.#below;
    const { isFile, isDirectory } = directory.place.wanted;
    if (!isFile || (kind === "directory" && !isDirectory)) return "left out";
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
      return "followed";
    }
  }

  #result({ target }: KeptLink, reason?: "exists" | "unchanged"): Result {
    const { path: file, document } = this;
    const made = { url: document.shownUrl, exit: 0, octets: 0, file, link: target, inTree: true };
    if (reason === undefined) return { ...made, status: "done" };
    const explanation = `"${file}" is ${reason === "exists" ? "there already" : reason}`;
    return { ...made, status: "skipped", reason, explanation };
  }

  #warnOfNowhere(): void {
    this.#below.tree.options.observer.warning(`${this.document.shownUrl}: the link leads nowhere`);
  }
}

function resultOf(outcome: Outcome): Result | undefined {
  return typeof outcome === "object" ? outcome : undefined;
}

/** Kind of a link's target, by a listing, or by the local link of an earlier run, which has asked. */
function knownKind({ type, target }: KeptLink, path: string): Kind | undefined {
  if (type === "file" || type === "directory") return type;
  const isHere = linkTarget(path) === target;
  const here = isHere ? ifPossible(() => found(path)) : undefined;
  return here && (here.isDirectory() ? "directory" : "file");
}

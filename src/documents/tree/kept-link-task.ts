/** A link that leads into its tree becomes a local link; what it leads to is fetched in its own place. */
import { FtpullError, systemText } from "../../errors.ts";
import { ifPossible } from "../../files/file-error.ts";
import { found, isTaken } from "../../files/regular-file.ts";
import { leadsSomewhere, linkTarget, makeLink, NoLinks } from "../../files/tree-link.ts";
import type { Session } from "../../ftp/session.ts";
import type { Tries } from "../task-tries.ts";
import type { Result } from "../result.ts";
import { findFile } from "../spider/look-task.ts";
import { type Document, planOver, type Skip, type Task } from "../task.ts";
import type { Kind, KeptLink } from "./kept-links.ts";
import type { Below } from "./tree.ts";

type Follow = (below: Below) => Task;

export class KeptLinkTask implements Task {
  readonly document: Document;
  readonly file: string;
  readonly #link: KeptLink;
  readonly #below: Below;
  readonly #follow: Follow;
  #isFollowed = false;

  constructor({ url, shownUrl }: Document, link: KeptLink, below: Below, follow: Follow) {
    const { parent, place, options } = below.directory;
    const asks = options.selection.hasTimes ? undefined : ("size" as const);
    const plan = { ...parent!.planOf(link.pathname, "retrieve-or-list"), asks };
    this.document = { url, shownUrl, plan, planFor: () => plan }; // so that nothing is asked before its turn
    this.file = place.path;
    this.#link = link;
    this.#below = below;
    this.#follow = follow;
  }

  skip(): Skip | undefined {
    const { rules, selection } = this.#below.tree.options;
    if (rules.keepsExisting && isTaken(this.file)) return this.#result("exists");
    const kind = this.#knownKind;
    if (kind === undefined || (kind === "file" && selection.hasTimes)) return undefined;
    return this.#decide(kind) ?? "left out";
  }

  /** Asks for the target by its pathname: the link itself may lead elsewhere than its text. */
  async run(session: Session, { observer }: Tries): Promise<Result | undefined> {
    // NLST tells what servers without SIZE have, and links that lead nowhere, too.
    const hasSize = session.features.has("SIZE");
    const target = await findFile(session, planOver(session, this.document), hasSize);
    if (target instanceof FtpullError) {
      // Where the same link is here, an earlier run has followed it: it leads nowhere.
      this.#isFollowed = linkTarget(this.file) !== this.#link.target;
      if (this.#isFollowed) return undefined;
      observer.warning(`${this.document.shownUrl}: the link leads nowhere`);
      return this.#make("file");
    }
    return this.#decide(target === undefined ? "directory" : "file", target?.modified);
  }

  further(): Iterator<Task> | undefined {
    const { tree, directory } = this.#below;
    const nowhere = () => this.#make("file");
    if (this.#isFollowed) return [this.#follow({ ...this.#below, nowhere })].values();
    tree.count.ended(directory.place.entry!);
    return undefined;
  }

  /** Known by a listing, or by the local link of an earlier run, which has asked. */
  get #knownKind(): Kind | undefined {
    const { type, target } = this.#link;
    if (type === "file" || type === "directory") return type;
    const isHere = linkTarget(this.file) === target;
    const here = isHere ? ifPossible(() => found(this.file)) : undefined;
    return here && (here.isDirectory() ? "directory" : "file");
  }

  #decide(kind: Kind, modified?: Date): Result | undefined {
    this.#isFollowed = !this.#link.isInRun[kind];
    const isWanted = kind === "directory" || this.#below.tree.options.rules.hasTime(modified);
    const made = this.#isFollowed || !isWanted ? undefined : this.#make(kind);
    if (made && !leadsSomewhere(this.file)) this.#below.tree.early.set(made.url!, this.file);
    return made;
  }

  /** Undefined where the link's own name is left out, or no link can be made. @throws FtpullError "file" */
  #make(kind: Kind): Result | undefined {
    const { tree, directory } = this.#below;
    const { rules, checksums } = tree.options;
    const { isFile, isDirectory } = directory.place.wanted;
    if (!isFile || (kind === "directory" && !isDirectory)) return undefined;
    try {
      const isForced = rules.isToFetch === undefined;
      const isNew = makeLink(this.file, this.#link.target, rules.top, isForced);
      checksums.hasLink(directory.label, this.file);
      return this.#result(isNew ? undefined : "unchanged");
    } catch (error) {
      if (!(error instanceof NoLinks)) throw error;
      const words = `${error.message}: ${systemText(error.cause)}: its content is fetched`;
      if (tree.links === "keep") tree.options.observer.info(words);
      tree.links = "follow";
      this.#isFollowed = true;
      return undefined;
    }
  }

  #result(reason?: "exists" | "unchanged"): Result {
    const { file, document } = this;
    const { target } = this.#link;
    const made = { url: document.shownUrl, exit: 0, octets: 0, file, link: target };
    if (reason === undefined) return { ...made, status: "done", inTree: true };
    const explanation = `"${file}" is ${reason === "exists" ? "there already" : reason}`;
    return { ...made, status: "skipped", reason, explanation, inTree: true };
  }
}

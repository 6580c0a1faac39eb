/**
 * The checksums that a publisher has put into one directory of a server, and into those above it in a
 * tree: which files have them, and the lists that were read. Names and paths are octets.
 */
import { posix } from "node:path";
import {
  candidates,
  type ChecksumFile,
  checksumFile,
  ChecksumFiles,
} from "../../checksums/candidates.ts";
import { strengthOf } from "../../checksums/checksum.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Entry } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import { encodeName } from "../../text/percent.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import { readListing } from "../listing/read-listing.ts";
import type { Evidence } from "./evidence.ts";
import { isFinal, KnownLists } from "./known-lists.ts";
import { serverEvidence } from "./server-checksum.ts";

/** A file that may have a document's checksums, `depth` levels above the document. */
interface Place {
  readonly file: ChecksumFile;
  readonly lists: KnownLists;
  readonly depth: number;
}

export class ChecksumDirectory {
  readonly files = new ChecksumFiles();
  readonly lists: KnownLists;
  readonly #url: FtpUrl;
  readonly #observer: Observer;
  readonly #above: ChecksumDirectory | undefined;
  /** Whether the names of all files are known, or those of lists at least. */
  #known: "files" | "lists" | undefined;
  #listing: Promise<void> | undefined;
  #hasMissed = false;
  /** The session has ended over the questions: some servers allow few refusals. */
  #isUnanswered = false;

  /** `url` ends in a slash. In a tree the names come by `note`; elsewhere the server is asked for some. */
  constructor(
    url: FtpUrl,
    observer: Observer,
    tree?: { readonly above: ChecksumDirectory | undefined },
  ) {
    this.#url = { ...url, typecode: undefined };
    this.lists = new KnownLists(this.#url, observer);
    this.#observer = observer;
    this.#above = tree?.above;
    if (tree !== undefined) this.#known = "files";
  }

  /** Notes an entry of the directory. */
  note({ name, type, size }: Pick<Entry, "name" | "size"> & { readonly type: string }): void {
    const isNamesake = type === "directory" && encodeName(name) === this.#url.segments.at(-2);
    this.lists.hasNamesake ||= isNamesake;
    const isKnown = type !== "directory" && this.files.note(name);
    if (isKnown && type === "file") this.lists.noteSize(name, { listedSize: size });
  }

  /**
   * Looks for the checksums of a located document: the strongest first, and of one algorithm the nearest;
   * then what the server computes: of a file that is damaged there, that is right.
   * @throws what breaks the session
   */
  async find(
    session: Session,
    plan: DocumentPlan,
    located: LocatedFile,
  ): Promise<Evidence | undefined> {
    if (this.#known !== "files") await this.#ask(session, plan, located);
    const places = this.#placesOf(plan.name).toSorted(
      (one, other) => strengthOf(one.file) - strengthOf(other.file),
    );
    let evidence: Evidence | undefined;
    for (const { lists, file, depth } of places)
      evidence ??= await lists.search(session, plan, file, depth);
    evidence ??= await serverEvidence(session, plan, located.facts.size);
    for (const { name, document } of this.files.of(plan.name))
      if (document !== undefined) this.lists.forget(name); // it is for this document alone
    return evidence;
  }

  /** Says once that a document has no checksum. */
  miss(shownUrl: string): void {
    if (!this.#hasMissed) this.#observer.info(`${shownUrl}: no checksum was found: not verified`);
    this.#hasMissed = true;
  }

  #placesOf(document: string, depth = 0): Place[] {
    const files = depth === 0 ? this.files.of(document) : this.files.lists;
    const places = files.map((file) => ({ file, lists: this.lists, depth }));
    const above = this.#above;
    return above === undefined ? places : [...places, ...above.#placesOf(document, depth + 1)];
  }

  /** Asks for the candidates by SIZE in one write; where that tells nothing, for a listing, once. */
  async #ask(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<void> {
    const isAnswered =
      session.state.type === "I" ? located.facts.size !== undefined : session.features.has("SIZE");
    const asksSizes = isAnswered && session.capabilities.pipelining && !this.#isUnanswered;
    try {
      if (asksSizes && (await this.#askSizes(session, plan))) return;
    } catch (error) {
      this.#isUnanswered = true;
      throw error;
    }
    this.#listing ??= this.#list(session, plan, located);
    await this.#listing.catch((error: unknown) => {
      this.#listing = undefined;
      throw error;
    });
    this.#known = "files";
  }

  /** False if some reply leaves open whether a file is there. */
  async #askSizes(session: Session, plan: DocumentPlan): Promise<boolean> {
    const names = candidates(plan.name).filter(
      (name) => this.#known === undefined || checksumFile(name)?.document !== undefined,
    );
    const as = { ...plan, type: "I", conversion: "none", action: "retrieve" } as const;
    const plans = names.map((name) => ({ ...as, name, asks: "size" }) as const);
    const next = { ...as, asks: "nothing" } as const;
    for await (const { name, facts } of session.locateAll(plans, next)) {
      if (facts.failure !== undefined) return false;
      if (facts.size === undefined) continue;
      this.files.note(posix.basename(name));
      this.lists.noteSize(posix.basename(name), { size: facts.size });
    }
    this.#known ??= "lists";
    return true;
  }

  async #list(
    session: Session,
    { cwds, ...plan }: DocumentPlan,
    located: LocatedFile,
  ): Promise<void> {
    if (located.refusal !== undefined) return; // of a directory that can't be entered
    const entry: ListingFormatter["entry"] = (listed) => {
      this.note(listed);
      return "";
    };
    const formatter = { entry };
    const directory = { ...plan, cwds, name: "", action: "list", type: undefined } as const;
    try {
      await readListing(session, directory, { begin: () => ({ formatter }) });
    } catch (error) {
      if (!isFinal(error)) throw error;
      const words = "cannot look for checksums";
      this.#observer.warning(`${formatFtpUrl(this.#url)}: ${words}: ${error.message}`);
    }
  }
}

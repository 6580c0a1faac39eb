/** The checksums in one directory of a server and, in a tree, in those above it. Names and paths are octets. */
import { byRank, checksumFile } from "../../checksums/checksum-file.ts";
import { type Evidence, rankOf } from "../../checksums/checksum.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Entry } from "../../listing/entry.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import { readListing } from "../listing/read-listing.ts";
import { isFinal, type SumsDirectory, SumsFile } from "./sums-file.ts";

export class ChecksumDirectory implements SumsDirectory {
  readonly url: FtpUrl;
  cwds: readonly string[];
  readonly observer: Observer;
  readonly #above: ChecksumDirectory | undefined;
  /** Sums files, by the document they belong to; key `undefined` holds those for the whole directory. */
  readonly #sums = new Map<string | undefined, SumsFile[]>();
  #hasMissed = false;

  /** `url` ends in a slash; in a tree, `above` is the parent directory. */
  constructor(url: FtpUrl, cwds: readonly string[], observer: Observer, above?: ChecksumDirectory) {
    this.url = { ...url, typecode: undefined };
    this.cwds = cwds;
    this.observer = observer;
    this.#above = above;
  }

  note({ name, type }: Pick<Entry, "name"> & { readonly type: string }): void {
    // V8 keeps a whole listing in memory for a name that was cut out of it: the copy frees it.
    const file = type === "directory" ? undefined : checksumFile(Buffer.from(name).toString());
    if (file === undefined) return;
    const present = this.#sums.get(file.document) ?? [];
    if (!present.some((one) => one.file.name === name))
      this.#sums.set(file.document, [...present, new SumsFile(file, this)]);
  }

  sumsFor(document?: string): readonly SumsFile[] {
    const sums = this.#sums.get(document) ?? [];
    return sums.toSorted((one, other) => byRank(one.file, other.file));
  }

  /** Looks for a document's checksums: the strongest first, of one algorithm the nearest. @throws what breaks the session */
  async find(session: Session, plan: DocumentPlan, _located: LocatedFile) {
    const own = this.sumsFor(plan.name);
    const shared = this.#upwards.flatMap((directory) => directory.sumsFor());
    const strongestFirst = [...own, ...shared].toSorted(
      (one, other) => rankOf(one.file.algorithm) - rankOf(other.file.algorithm),
    );
    let evidence: Evidence | undefined;
    for (const sums of strongestFirst) evidence ??= await sums.search(session, plan);
    for (const sums of own) sums.forget(); // No other document needs them.
    return evidence;
  }

  miss(shownUrl: string): void {
    const words = `${shownUrl}: no checksum was found: not verified`;
    if (!this.#hasMissed) this.sayMissing(words, "--verify-all makes that a failure");
    this.#hasMissed = true;
  }

  /** In trees and for patterns -q hides the note. */
  protected sayMissing(words: string, hint: string): void {
    this.observer.info(words, hint);
  }

  get #upwards(): readonly ChecksumDirectory[] {
    return this.#above === undefined ? [this] : [this, ...this.#above.#upwards];
  }
}

/** The directory of documents that belong to no tree: it is listed, once, for the names of its sums files. */
export class ListedDirectory extends ChecksumDirectory {
  #listing: Promise<void> | undefined;

  override async find(session: Session, plan: DocumentPlan, located: LocatedFile) {
    // A directory that can't be entered isn't listed.
    this.cwds = plan.cwds;
    if (located.refusal === undefined) await (this.#listing ??= this.#list(session));
    return super.find(session, plan, located);
  }

  protected override sayMissing(words: string, hint: string): void {
    this.observer.infoAlways(words, hint);
  }

  async #list(session: Session): Promise<void> {
    const formatter = { entry: (entry: Entry) => (this.note(entry), "") };
    const plan = {
      cwds: this.cwds,
      name: "",
      action: "list",
      type: undefined,
      conversion: "none",
    } as const;
    try {
      await readListing(session, plan, { begin: () => ({ formatter }) });
    } catch (error) {
      if (!isFinal(error)) {
        this.#listing = undefined;
        throw error;
      }
      const words = `cannot look for checksums: ${error.message}`;
      this.observer.warning(`${formatFtpUrl(this.url)}: ${words}`);
    }
  }
}

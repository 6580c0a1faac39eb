/** The checksums in one directory of a server and, in a tree, in those above it. Names and paths are octets. */
import { posix } from "node:path";
import { byRank, sumsFileName } from "../../checksums/sums-file-name.ts";
import { rankOf } from "../../checksums/checksum.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Entry } from "../../listing/entry.ts";
import { copyOf } from "../../text/percent.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { readListing } from "../listing/read-listing.ts";
import { isFinal, SumsFile, type SumsPlace } from "./sums-file.ts";
import type { Verification } from "./verification.ts";

export class SumsDirectory {
  #place: SumsPlace;
  readonly #above: SumsDirectory | undefined;
  /** Sums files, by the file they belong to; key `undefined` holds those for the whole directory. */
  readonly #sums = new Map<string | undefined, SumsFile[]>();
  /** Ends when all names are noted: at once in a tree. */
  #listing: Promise<void> | undefined;
  #hasMissed = false;

  /** In a tree, `above` is the parent directory, and the tree's listing has the names. */
  constructor(place: SumsPlace, isInTree: boolean, above?: SumsDirectory) {
    this.#place = place;
    this.#above = above;
    if (isInTree) this.#listing = Promise.resolve();
  }

  note({ name, type }: Pick<Entry, "name"> & { readonly type: string }): void {
    const file = type === "directory" ? undefined : sumsFileName(copyOf(name));
    if (file === undefined) return;
    const present = this.#sums.get(file.document) ?? [];
    if (!present.some((one) => one.file.name === name))
      this.#sums.set(file.document, [...present, new SumsFile(file, this.#place)]);
  }

  /**
   * Looks for a file's checksums: the strongest first, of one algorithm the nearest. With `only`, the source of
   * earlier ones, they are read again. @throws what breaks the session
   */
  async find(
    session: Session,
    plan: DocumentPlan,
    located: LocatedFile,
    only?: string,
  ): Promise<Verification | undefined> {
    await this.#listOnce(session, plan, located);
    const own = this.#sumsFor(posix.normalize(plan.name)); // Of "./ x": listed is " x".
    const shared = this.#upwards.flatMap((directory) => directory.#sumsFor());
    const strongestFirst = [...own, ...shared].toSorted(
      (one, other) => rankOf(one.file.algorithm) - rankOf(other.file.algorithm),
    );
    const again = strongestFirst.filter(({ source }) => source === only);
    for (const sums of again) sums.forget();
    let found: Verification | undefined;
    for (const sums of only === undefined ? strongestFirst : again)
      found ??= await sums.search(session, plan);
    for (const sums of own) sums.forget(); // No other file needs them.
    return found;
  }

  /** Notes the first file of a tree's directory that has no checksum. */
  miss(shownUrl: string): void {
    if (!this.#hasMissed)
      this.#place.observer.info(`${shownUrl}: no checksum was found: it is not verified`);
    this.#hasMissed = true;
  }

  #sumsFor(document?: string): readonly SumsFile[] {
    const sums = this.#sums.get(document) ?? [];
    return sums.toSorted((one, other) => byRank(one.file, other.file));
  }

  get #upwards(): readonly SumsDirectory[] {
    return this.#above === undefined ? [this] : [this, ...this.#above.#upwards];
  }

  /** A directory outside of trees is listed for the names of its sums files, unless it can't be entered. */
  async #listOnce(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<void> {
    if (this.#listing === undefined && located.refusal === undefined) {
      this.#place = { ...this.#place, cwds: plan.cwds };
      this.#listing = this.#list(session);
    }
    await this.#listing;
  }

  async #list(session: Session): Promise<void> {
    const { url, cwds, observer } = this.#place;
    const listed = { cwds, name: "", action: "list", type: undefined, conversion: "none" } as const;
    try {
      await readListing(session, listed, { begin: () => ({ entry: (one) => this.note(one) }) });
    } catch (error) {
      if (!isFinal(error)) {
        this.#listing = undefined;
        throw error;
      }
      const words = `cannot look for checksums: ${error.message}`;
      observer.warning(`${formatFtpUrl(url)}: ${words}`);
    }
  }
}

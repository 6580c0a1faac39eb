/** The checksums in one directory of a server and, in a tree, in those above it. Names and paths are octets. */
import { byRank, checksumFile } from "../../checksums/candidates.ts";
import { type Evidence, rankOf } from "../../checksums/checksum.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import { namesIn } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Entry } from "../../listing/entry.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import { serverEvidence } from "./server-checksum.ts";
import { type SumsDirectory, SumsFile } from "./sums-file.ts";

export class ChecksumDirectory implements SumsDirectory {
  readonly url: FtpUrl;
  cwds: readonly string[];
  readonly namesakes = new Set<string>();
  readonly observer: Observer;
  isInTree: ((path: string) => boolean) | undefined;
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

  note({ name, type, size }: Pick<Entry, "name" | "size"> & { readonly type: string }): void {
    if (type === "directory") {
      const namesake = namesIn(this.cwds.join("/")).find((above) => above === name);
      if (namesake !== undefined) this.namesakes.add(namesake);
      return;
    }
    const sums = this.sumsAt(name);
    if (sums !== undefined && type === "file") sums.sizes = { listedSize: size };
  }

  sumsAt(name: string): SumsFile | undefined {
    // V8 keeps a whole listing in memory for a name that was cut out of it: the copy frees it.
    const file = checksumFile(Buffer.from(name).toString());
    if (file === undefined) return undefined;
    const present = this.#sums.get(file.document) ?? [];
    const known = present.find((one) => one.file.name === name);
    if (known !== undefined) return known;
    const sums = new SumsFile(file, this);
    this.#sums.set(file.document, [...present, sums]);
    return sums;
  }

  sumsFor(document?: string): readonly SumsFile[] {
    const sums = this.#sums.get(document) ?? [];
    return sums.toSorted((one, other) => byRank(one.file, other.file));
  }

  /**
   * Looks for a document's checksums: the strongest first, of one algorithm the nearest. The server's own
   * comes last: it fits even a file that is damaged there. @throws what breaks the session
   */
  async find(session: Session, plan: DocumentPlan, located: LocatedFile) {
    const own = this.sumsFor(plan.name);
    const shared = this.#upwards.flatMap((directory) => directory.sumsFor());
    const published = await strongestEvidence([...own, ...shared], session, plan);
    const evidence = published ?? (await serverEvidence(session, plan, located.facts.size));
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

async function strongestEvidence(
  files: readonly SumsFile[],
  session: Session,
  plan: DocumentPlan,
): Promise<Evidence | undefined> {
  const strongestFirst = files.toSorted(
    (one, other) => rankOf(one.file.algorithm) - rankOf(other.file.algorithm),
  );
  for (const sums of strongestFirst) {
    const evidence = await sums.search(session, plan);
    if (evidence !== undefined) return evidence;
  }
  return undefined;
}

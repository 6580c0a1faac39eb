/**
 * The checksums that a publisher has put into one directory of a server, and into those above it in a
 * tree. Names and paths are octets.
 */
import { posix } from "node:path";
import { byRank, checksumFile } from "../../checksums/candidates.ts";
import { strengthOf } from "../../checksums/checksum.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import { loginDirectoryOf } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Entry } from "../../listing/entry.ts";
import { decoderFor } from "../../text/encoding.ts";
import { encodeName } from "../../text/percent.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import type { Evidence } from "./evidence.ts";
import { type ListPlace, PublishedList } from "./published-list.ts";
import { serverEvidence } from "./server-checksum.ts";

const decode = decoderFor();

/** Its names come by `note`, from a listing. */
export class ChecksumDirectory implements ListPlace {
  readonly url: FtpUrl;
  readonly observer: Observer;
  readonly #above: ChecksumDirectory | undefined;
  /** By the documents that they are for; undefined: all of the directory. */
  readonly #lists = new Map<string | undefined, PublishedList[]>();
  /** Whether it has a directory of its own name: a list that says "d/x" in "d" means that one's. */
  #hasNamesake = false;
  /** Of a tree: which paths may be those of its documents. */
  isInTree: ((path: string) => boolean) | undefined;
  /** The names of the documents that were looked for elsewhere. */
  readonly #wanted = new Set<string>();
  #hasMissed = false;

  /** `url` ends in a slash; in a tree, `above` is the directory that it is in. */
  constructor(url: FtpUrl, observer: Observer, above?: ChecksumDirectory) {
    this.url = { ...url, typecode: undefined };
    this.observer = observer;
    this.#above = above;
  }

  /** Notes an entry of the directory. */
  note({ name, type, size }: Pick<Entry, "name" | "size"> & { readonly type: string }): void {
    if (type === "directory") this.#hasNamesake ||= encodeName(name) === this.url.segments.at(-2);
    const list = type === "directory" ? undefined : this.listAt(name);
    if (list !== undefined && type === "file") list.sizes = { listedSize: size };
  }

  /** The file of this name, if it has checksums: it is noted. */
  listAt(name: string): PublishedList | undefined {
    if (checksumFile(name) === undefined) return undefined;
    // A copy: a part of a listing would keep the whole of it in memory.
    const file = checksumFile(Buffer.from(name).toString())!;
    const lists = this.#lists.get(file.document) ?? [];
    this.#lists.set(file.document, lists);
    let list = lists.find((one) => one.file.name === name);
    if (list === undefined) lists.push((list = new PublishedList(file, this)));
    return list;
  }

  /** The lists for this document alone, or for all of the directory, the best first. */
  listsFor(document?: string): readonly PublishedList[] {
    const lists = this.#lists.get(document) ?? [];
    return lists.toSorted((one, other) => byRank(one.file, other.file));
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
    const places = this.#placesOf(plan.name).toSorted(
      (one, other) => strengthOf(one.list.file) - strengthOf(other.list.file),
    );
    let evidence: Evidence | undefined;
    for (const { list, directory, depth } of places)
      evidence ??= await directory.#search(session, plan, list, depth);
    evidence ??= await serverEvidence(session, plan, located.facts.size);
    for (const list of this.listsFor(plan.name)) list.forget(); // it is for this document alone
    return evidence;
  }

  /** Says once that a document has no checksum. */
  miss(shownUrl: string): void {
    if (!this.#hasMissed) this.observer.info(`${shownUrl}: no checksum was found: not verified`);
    this.#hasMissed = true;
  }

  mayBeWanted(path: string): boolean {
    return this.isInTree?.(path) ?? this.#wanted.has(path.slice(path.lastIndexOf("/") + 1));
  }

  #placesOf(document: string, depth = 0): Place[] {
    const own = depth === 0 ? this.listsFor(document) : [];
    const lists = [...own, ...this.listsFor()];
    const places = lists.map((list) => ({ list, directory: this, depth }));
    const above = this.#above;
    return above === undefined ? places : [...places, ...above.#placesOf(document, depth + 1)];
  }

  /** What a list of this directory says of the document of `plan`, which is `depth` levels below. */
  async #search(
    session: Session,
    plan: DocumentPlan,
    list: PublishedList,
    depth: number,
  ): Promise<Evidence | undefined> {
    const cwds = plan.cwds.slice(0, plan.cwds.length - depth);
    const path = [...plan.cwds.slice(cwds.length), plan.name].join("/");
    const above = this.#hasNamesake ? [] : [loginDirectoryOf(session.state) ?? "", ...cwds];
    const directory = posix.resolve("/", ...above).replace(/^\/$/, "");
    if (this.isInTree === undefined) this.#wanted.add(posix.basename(plan.name));
    let content = await list.read(session, { ...plan, cwds });
    let checksums = content?.of(path, directory);
    if (checksums?.length === 0 && this.isInTree === undefined && content?.isCut === true) {
      list.forget();
      content = await list.read(session, { ...plan, cwds });
      checksums = content?.of(path, directory);
    }
    const { source, file } = list;
    if (file.document !== undefined && checksums?.length === 0)
      this.observer.warning(`${source}: it has no checksum of its document`);
    if (checksums === undefined || checksums.length === 0) return undefined;
    return { checksums, source, label: decode(file.name), doubt: () => list.forget() };
  }
}

/** A file that may have a document's checksums, `depth` levels above the document. */
interface Place {
  readonly list: PublishedList;
  readonly directory: ChecksumDirectory;
  readonly depth: number;
}

/** A list of checksums: the wanted ones are kept, and looked up by document. */
import { basename } from "node:path";
import { FtpullError } from "../errors.ts";
import { inputName, inputPieces } from "../files/input-file.ts";
import { decoderFor } from "../text/encoding.ts";
import { utf8Octets } from "../text/percent.ts";
import { type Checksum, strengthOf } from "./checksum.ts";
import { formExamples, type ListedChecksum } from "./list-forms.ts";
import { ListReader } from "./list-reader.ts";

/** The octets of a list at most: a hostile server's may have no end. */
export const mostOctets = 256 * 1024 * 1024;

/** For --checksums. `-` is standard input. @throws FtpullError "file"; "usage"; "integrity" */
export async function readChecksumList(path: string): Promise<ChecksumList> {
  const list = new ChecksumList(utf8Octets(basename(path)), inputName(path));
  for await (const piece of inputPieces(path, mostOctets)) list.read(piece);
  list.end();
  return list;
}

/** A million take 650 MB of memory. */
const mostKept = 1_000_000;

/** After so many lines that are no checksums, a list that has had none is not read on. */
const mostStrange = 100_000;

const decode = decoderFor();

/** The checksums that a list has, by path; paths are octets. */
export class ChecksumList {
  readonly #label: string;
  readonly #reader: ListReader;
  readonly #isWanted: ((path: string, kept: number) => boolean) | undefined;
  readonly #byPath = new Map<string, readonly Checksum[]>();
  /** The paths with directories, by their last segments. */
  readonly #byName = new Map<string, string[]>();
  #kept = 0;
  /** Whether it has checksums that were not wanted. */
  isCut = false;

  /**
   * Keeps all checksums, or those of paths that are wanted when `kept` others are here, and of these no
   * more than `mostKept`; messages call the list `label`.
   */
  constructor(name: string, label: string, isWanted?: (path: string, kept: number) => boolean) {
    this.#label = label;
    this.#reader = new ListReader(name, (listed) => this.#add(listed));
    this.#isWanted = isWanted;
  }

  get strangeLines(): { readonly first: number; readonly count: number } {
    return this.#reader.strange;
  }

  /**
   * A further piece. @throws FtpullError "integrity" for a list that contradicts itself, or is
   * too long; "usage" for one that begins with too much else
   */
  read(piece: Buffer): void {
    this.#reader.read(piece.toString("latin1"));
    if (this.strangeLines.count > mostStrange) this.#checkChecksums();
  }

  /** @throws FtpullError "usage" for a list without a checksum; "integrity" as `read` */
  end(): void {
    this.#reader.end();
    this.#checkChecksums();
  }

  #checkChecksums(): void {
    if (this.#kept > 0 || this.isCut) return;
    const { unsupported } = this.#reader;
    const why = unsupported === undefined ? "" : `: ${unsupported} is not supported`;
    const words = `there is no checksum in ${this.#label}${why}`;
    throw new FtpullError("usage", words, { hint: `these forms are known: ${formExamples}` });
  }

  #add({ path, algorithm, value }: ListedChecksum): void {
    if (this.#isWanted?.(path, this.#kept) === false) {
      this.isCut = true;
      return;
    }
    this.#kept += 1;
    if (this.#isWanted !== undefined && this.#kept > mostKept)
      throw this.#failure(`more than ${mostKept} checksums`, "save the list, and name that file");
    const known = this.at(path);
    const same = known.find((one) => one.algorithm === algorithm);
    if (same?.value === value) return;
    if (same !== undefined)
      throw this.#failure(
        `two ${algorithm} checksums of "${decode(path)}": ${same.value} and ${value}`,
      );
    const all = [...known, { algorithm, value: own(value) }];
    this.#byPath.set(
      own(path),
      all.toSorted((one, other) => strengthOf(one.algorithm) - strengthOf(other.algorithm)),
    );
    if (known.length === 0 && path.includes("/")) this.#addToNames(own(path));
  }

  #addToNames(path: string): void {
    const name = lastSegment(path);
    const paths = this.#byName.get(name);
    if (paths === undefined) this.#byName.set(name, [path]);
    else paths.push(path);
  }

  #failure(words: string, hint?: string): FtpullError {
    return new FtpullError("integrity", `${this.#label} has ${words}`, { hint });
  }

  /** The paths that are kept, in the list's order. */
  paths(): Iterable<string> {
    return this.#byPath.keys();
  }

  /** The checksums listed as `path` itself, the strongest first. */
  at(path: string): readonly Checksum[] {
    return this.#byPath.get(path) ?? [];
  }

  /**
   * The checksums of the document at `path`, seen from the list's `directory` ("/pub", "" for the root): those
   * of this very path, or of the same from a directory above ("dir/x" in /pub/dir), or of the only other
   * absolute path that ends in it ("/build/out/x"). A path such as "sub/x" is another document's, except
   * where the list's directory is unknown.
   */
  of(path: string, directory?: string): readonly Checksum[] {
    const exact = this.at(path);
    if (exact.length > 0) return exact;
    const paths = this.#byName.get(lastSegment(path)) ?? [];
    const inside = paths.filter((listed) => listed.endsWith(`/${path}`));
    if (directory === undefined) return this.#ofOnly(inside);
    const whole = `${directory}/${path}`;
    const above = inside.find((listed) => whole === listed || whole.endsWith(`/${listed}`));
    return above === undefined ? this.#ofOnly(inside.filter(isAbsolute)) : this.at(above);
  }

  #ofOnly([path, ...others]: readonly string[]): readonly Checksum[] {
    return path === undefined || others.length > 0 ? [] : this.at(path);
  }
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** With a drive or a scheme, too. */
const isAbsolute = (path: string): boolean => /^(?:\/|\w+:)/.test(path);

/** A copy: V8's part of a text keeps the whole text in memory. */
const own = (part: string): string => Buffer.from(part).toString();

/** A list of checksums, as --checksums or a server's sums file has it, looked up by path. Paths are octets. */
import { basename } from "node:path";
import { FtpullError } from "../errors.ts";
import { inputName, inputPieces } from "../files/input-file.ts";
import { decoderFor } from "../text/encoding.ts";
import { utf8Octets } from "../text/percent.ts";
import { type Checksum, rankOf } from "./checksum.ts";
import { formExamples, type ListedChecksum } from "./list-forms.ts";
import { ListReader } from "./list-reader.ts";

/** A hostile server's list may have no end. */
export const mostListOctets = 256 * 1024 * 1024;

/** Reads the list of --checksums; `-` is standard input. @throws FtpullError "file"; "usage"; "integrity" */
export async function readChecksumList(path: string): Promise<ChecksumList> {
  const list = new ChecksumList(utf8Octets(basename(path)), inputName(path));
  for await (const piece of inputPieces(path, mostListOctets)) list.read(piece);
  list.end();
  return list;
}

/** The limit for a server's list: a million checksums take 650 MB of memory. */
const mostChecksumsKept = 1_000_000;

const decode = decoderFor();

/**
 * Directory of the list. `pathname` is as "/pub", or "" for the root. `namesakes` are directories in it with the
 * name of a directory above: a path that begins with such a name begins here.
 */
export interface ListPlace {
  readonly pathname: string;
  readonly namesakes: ReadonlySet<string>;
}

export class ChecksumList {
  readonly #label: string;
  readonly #reader: ListReader;
  readonly #isWanted: ((path: string, kept: number) => boolean) | undefined;
  readonly #byPath = new Map<string, readonly Checksum[]>();
  readonly #pathsByName = new Map<string, string[]>();
  #kept = 0;
  #failure: FtpullError | undefined;
  hasLeftOutUnwanted = false;

  /**
   * Keeps all checksums, or of a server's list those that `isWanted`, which is asked with the number of checksums
   * kept so far. `name` is the list's own name, `label` the one in messages.
   */
  constructor(name: string, label: string, isWanted?: (path: string, kept: number) => boolean) {
    this.#label = label;
    this.#reader = new ListReader(name, (listed) => this.#add(listed));
    this.#isWanted = isWanted;
  }

  get strangeLines(): { readonly first: number; readonly count: number } {
    return this.#reader.strange;
  }

  /** True if `end` throws whatever follows: the rest need not be read. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  read(piece: Buffer): void {
    this.#reader.read(piece.toString("latin1"));
  }

  /** @throws FtpullError "usage" for a list without a checksum; "integrity" for a contradictory or too long one */
  end(): void {
    this.#reader.end();
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#kept > 0 || this.hasLeftOutUnwanted) return;
    const hint = `by md5, sha1, sha256 or sha512, these forms are known: ${formExamples}`;
    throw new FtpullError("usage", `there is no checksum in ${this.#label}`, { hint });
  }

  #add({ path, algorithm, value }: ListedChecksum): void {
    if (this.#failure !== undefined) return;
    const isWanted = this.#isWanted?.(path, this.#kept) ?? true;
    if (!isWanted) {
      this.hasLeftOutUnwanted = true;
      return;
    }
    this.#kept += 1;
    if (this.#isWanted !== undefined && this.#kept > mostChecksumsKept)
      return this.#fail(
        `more than ${mostChecksumsKept} checksums`,
        "save the list, and name that file",
      );
    const former = this.at(path).find((one) => one.algorithm === algorithm);
    if (former === undefined) this.#keep(copyOf(path), { algorithm, value: copyOf(value) });
    else if (former.value !== value)
      this.#fail(`two ${algorithm} checksums of "${decode(path)}": ${former.value} and ${value}`);
  }

  #keep(path: string, checksum: Checksum): void {
    const known = this.at(path);
    const all = [...known, checksum].toSorted(
      (one, other) => rankOf(one.algorithm) - rankOf(other.algorithm),
    );
    this.#byPath.set(path, all);
    if (known.length > 0 || !path.includes("/")) return;
    const name = lastSegment(path);
    const paths = this.#pathsByName.get(name);
    if (paths === undefined) this.#pathsByName.set(name, [path]);
    else paths.push(path);
  }

  #fail(words: string, hint?: string): void {
    this.#byPath.clear();
    this.#pathsByName.clear();
    this.#failure = new FtpullError("integrity", `${this.#label} has ${words}`, { hint });
  }

  paths(): Iterable<string> {
    return this.#byPath.keys();
  }

  at(path: string): readonly Checksum[] {
    return this.#byPath.get(path) ?? [];
  }

  /** The checksums under this path or, if it isn't listed, under the only path that ends in it; the strongest first. */
  of(path: string): readonly Checksum[] {
    const exact = this.at(path);
    return exact.length > 0 ? exact : this.#ofOnly(this.#pathsEndingIn(path));
  }

  /**
   * The checksums of a document seen from the list's directory: under its path from there, under its path from a
   * directory above ("dir/x" in /pub/dir), or under the only absolute path that ends in it. "sub/x" is another
   * document's.
   */
  seenFrom({ pathname, namesakes }: ListPlace, path: string): readonly Checksum[] {
    const exact = this.at(path);
    if (exact.length > 0) return exact;
    const endings = this.#pathsEndingIn(path);
    const whole = `${pathname}/${path}`;
    const above = endings.find(
      (listed) => endsInPath(whole, listed) && !namesakes.has(firstSegment(listed)),
    );
    return above === undefined ? this.#ofOnly(endings.filter(isAbsolute)) : this.at(above);
  }

  #pathsEndingIn(path: string): readonly string[] {
    const paths = this.#pathsByName.get(lastSegment(path)) ?? [];
    return paths.filter((listed) => endsInPath(listed, path));
  }

  #ofOnly(paths: readonly string[]): readonly Checksum[] {
    const [path] = paths;
    return path !== undefined && paths.length === 1 ? this.at(path) : [];
  }
}

const endsInPath = (path: string, end: string): boolean => path === end || path.endsWith(`/${end}`);

const firstSegment = (path: string): string => path.replace(/\/.*$/s, "");

const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const isAbsolute = (path: string): boolean => /^(?:\/|\w+:)/.test(path);

/** A copy of a part: a slice would keep the whole text in memory (V8). */
const copyOf = (part: string): string => Buffer.from(part).toString();

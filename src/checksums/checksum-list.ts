/** A list of checksums, as --checksums or a server's sums file has it, looked up by path. Paths are octets. */
import { basename } from "node:path";
import { FtpullError } from "../errors.ts";
import { inputName, inputPieces } from "../files/input-file.ts";
import { decoderFor } from "../text/encoding.ts";
import { utf8Octets } from "../text/percent.ts";
import { type Checksum, type ChecksumAlgorithm, rankOf } from "./checksum.ts";
import { formExamples, type ListedChecksum } from "./list-forms.ts";
import { ListReader } from "./list-reader.ts";

/** Some 700,000 checksums; a hostile server's list may have no end. */
export const mostListOctets = 64 * 1024 * 1024;

/** Reads the list of --checksums; `-` is standard input. @throws FtpullError "file"; "usage"; "integrity" */
export async function readChecksumList(path: string): Promise<ChecksumList> {
  const list = new ChecksumList(utf8Octets(basename(path)), inputName(path));
  for await (const piece of inputPieces(path, mostListOctets)) list.read(piece);
  list.end();
  return list;
}

const decode = decoderFor();

export class ChecksumList {
  readonly #label: string;
  readonly #reader: ListReader;
  /** Checksums as `sha1:HEX,md5:HEX`: 400,000 arrays with objects would take 80 MB more. */
  readonly #byPath = new Map<string, string>();
  #contradiction: string | undefined;

  /** `name` is the list's own name, `label` the one in messages. */
  constructor(name: string, label: string) {
    this.#label = label;
    this.#reader = new ListReader(name, (listed) => this.#add(listed));
  }

  get strangeLines(): { readonly first: number; readonly count: number } {
    return this.#reader.strange;
  }

  read(piece: Buffer): void {
    this.#reader.read(piece.toString("latin1"));
  }

  /** @throws FtpullError "usage" for a list without a checksum; "integrity" for a contradictory one */
  end(): void {
    this.#reader.end();
    if (this.#contradiction !== undefined)
      throw new FtpullError("integrity", `${this.#label} has ${this.#contradiction}`);
    if (this.#byPath.size > 0) return;
    const hint = `by md5, sha1, sha256 or sha512, these forms are known: ${formExamples}`;
    throw new FtpullError("usage", `there is no checksum in ${this.#label}`, { hint });
  }

  #add({ path, algorithm, value }: ListedChecksum): void {
    const known = this.#byPath.get(path);
    const former = this.at(path).find((one) => one.algorithm === algorithm);
    if (former !== undefined && former.value !== value)
      this.#contradiction ??= `two ${algorithm} checksums of "${decode(path)}": ${former.value} and ${value}`;
    if (former !== undefined) return;
    const text = copyOf(`${algorithm}:${value}`);
    this.#byPath.set(copyOf(path), known === undefined ? text : `${known},${text}`);
  }

  paths(): Iterable<string> {
    return this.#byPath.keys();
  }

  /** The checksums under this path, the strongest first. */
  at(path: string): readonly Checksum[] {
    const all = this.#byPath.get(path)?.split(",") ?? [];
    return all
      .map(parsed)
      .toSorted((one, other) => rankOf(one.algorithm) - rankOf(other.algorithm));
  }

  /** The checksums under this path or, if it isn't listed, under the only path that ends in it. */
  of(path: string): readonly Checksum[] {
    const exact = this.at(path);
    if (exact.length > 0) return exact;
    const paths = [...this.#byPath.keys()];
    const [only, another] = paths.filter((listed) => listed.endsWith(`/${path}`));
    return only !== undefined && another === undefined ? this.at(only) : [];
  }
}

function parsed(text: string): Checksum {
  const at = text.indexOf(":");
  return { algorithm: text.slice(0, at) as ChecksumAlgorithm, value: text.slice(at + 1) };
}

/** A copy of a part: a slice would keep the whole text in memory (V8). */
const copyOf = (part: string): string => Buffer.from(part).toString();

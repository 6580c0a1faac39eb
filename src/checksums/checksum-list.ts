/** A list of checksums, as --checksums or a server's sums file has it, looked up by path. Paths are octets. */
import { basename } from "node:path";
import { FtpullError } from "../errors.ts";
import { inputName, inputPieces } from "../files/input-file.ts";
import { decoderFor } from "../text/encoding.ts";
import { copyOf, utf8Octets } from "../text/percent.ts";
import { algorithms, type Checksum } from "./checksum.ts";
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
  /** Digests by path; a table for each algorithm takes the least memory. */
  readonly #byAlgorithm = new Map(algorithms.map((one) => [one, new Map<string, string>()]));
  #contradiction: string | undefined;

  /** `name` is the list's own name, `label` the one in messages. */
  constructor(name: string, label: string) {
    this.#label = label;
    this.#reader = new ListReader(name, (listed) => this.#add(listed));
  }

  read(piece: Buffer): void {
    this.#reader.read(piece.toString("latin1"));
  }

  /** @throws FtpullError "usage" for a list without a checksum; "integrity" for a contradictory one */
  end(): void {
    this.#reader.end();
    if (this.#contradiction !== undefined)
      throw new FtpullError("integrity", `${this.#label} has ${this.#contradiction}`);
    if (this.#tables.some((table) => table.size > 0)) return;
    const hint = `by md5, sha1, sha256 or sha512, these forms are known: ${formExamples}`;
    throw new FtpullError("usage", `there is no checksum in ${this.#label}`, { hint });
  }

  *paths(): Generator<string> {
    for (const [index, table] of this.#tables.entries())
      for (const path of table.keys())
        if (!this.#tables.slice(0, index).some((other) => other.has(path))) yield path;
  }

  /** The checksums under this path, the strongest first. */
  at(path: string): readonly Checksum[] {
    return algorithms.flatMap((algorithm) => {
      const value = this.#byAlgorithm.get(algorithm)?.get(path);
      return value === undefined ? [] : [{ algorithm, value }];
    });
  }

  /** The checksums under this path or, if it isn't listed, under the only path that ends in it. */
  of(path: string): readonly Checksum[] {
    const exact = this.at(path);
    if (exact.length > 0) return exact;
    const [only, another] = [...this.paths()].filter((listed) => listed.endsWith(`/${path}`));
    return only !== undefined && another === undefined ? this.at(only) : [];
  }

  #add({ path, algorithm, value }: ListedChecksum): void {
    const table = this.#byAlgorithm.get(algorithm)!;
    const former = table.get(path);
    if (former === undefined) table.set(copyOf(path), copyOf(value));
    else if (former !== value)
      this.#contradiction ??= `two ${algorithm} checksums of "${decode(path)}": ${former} and ${value}`;
  }

  get #tables(): readonly Map<string, string>[] {
    return [...this.#byAlgorithm.values()];
  }
}

/** A list of checksums, as --checksums or a server's sums file has it, looked up by path. Paths are octets. */
import { basename } from "node:path";
import { FtpullError } from "../errors.ts";
import { inputName, inputPieces } from "../files/input-file.ts";
import { decoderFor } from "../text/encoding.ts";
import { copyOf, utf8Octets } from "../text/percent.ts";
import { type SumsFileName, sumsFileName } from "./sums-file-name.ts";
import { algorithms, type Checksum, digestOf } from "./checksum.ts";
import { type ListedChecksum, nameOfTag, type Parts, partsOf } from "./list-forms.ts";

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

/** Characters: twice a checksum and the longest path. */
const longestLine = 16 * 1024;

const byteOrderMark = /^\u00EF\u00BB\u00BF/;

/** Read piece by piece: of its text at most one line, of bounded length, is kept in memory. */
export class ChecksumList {
  readonly #label: string;
  /** The file that the list is named for: "x.gz.sha256" is for "x.gz", even if its line has no name. */
  readonly #subject: SumsFileName | undefined;
  /** Digests by path; a table for each algorithm takes the least memory. */
  readonly #byAlgorithm = new Map(algorithms.map((one) => [one, new Map<string, string>()]));
  #contradiction: string | undefined;
  #unended = "";
  #isFirstLine = true;
  #endOfSkippedArmour: RegExp | undefined;

  /** `name` is the list's own name, `label` the one in messages. */
  constructor(name: string, label: string) {
    this.#label = label;
    this.#subject = sumsFileName(name.replace(/sums$/i, "sum"));
  }

  read(piece: Buffer): void {
    const lines = piece.toString("latin1").split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.#readLine(this.#unended + line);
      this.#unended = "";
    }
    // The rest of a longer line is dropped: the line isn't read in any case.
    if (this.#unended.length <= longestLine) this.#unended += last;
  }

  /** @throws FtpullError "usage" for a list without a checksum; "integrity" for a contradictory one */
  end(): void {
    if (this.#unended !== "") this.#readLine(this.#unended);
    if (this.#contradiction !== undefined)
      throw new FtpullError("integrity", `${this.#label} has ${this.#contradiction}`);
    if (this.#tables.some((table) => table.size > 0)) return;
    throw new FtpullError("usage", `there is no checksum in ${this.#label}`);
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

  /** A line that is no checksum says nothing: lists have headings and comments of any form. */
  #readLine(octets: string): void {
    const bare = this.#isFirstLine ? octets.replace(byteOrderMark, "") : octets;
    this.#isFirstLine = false;
    const line = bare.endsWith("\r") ? bare.slice(0, -1) : bare;
    if (this.#skipsArmour(line) || line.length > longestLine) return;
    const parts = partsOf(line);
    const listed = parts && this.#checksumOf(parts);
    if (listed !== undefined) this.#add(listed);
  }

  /** Skips the lines around a clear-signed text, its headers, and the signature (RFC 4880 §7). */
  #skipsArmour(line: string): boolean {
    const [, kind] = /^-----BEGIN (PGP [A-Z ]{1,40})-----\s*$/.exec(line) ?? [];
    if (kind !== undefined) {
      const isText = kind === "PGP SIGNED MESSAGE";
      this.#endOfSkippedArmour = isText ? /^\s*$/ : new RegExp(`^-----END ${kind}-----`);
      return true;
    }
    if (this.#endOfSkippedArmour === undefined) return false;
    if (this.#endOfSkippedArmour.test(line)) this.#endOfSkippedArmour = undefined;
    return true;
  }

  #checksumOf(parts: Parts): ListedChecksum | undefined {
    const { hex = "", tag, sum, size, name = "-" } = parts;
    const algorithm = tag ? nameOfTag(tag) : undefined;
    const checksum: Checksum | undefined =
      sum === undefined
        ? digestOf(hex, algorithm)
        : { algorithm: "sum", value: `${sum} ${Number(size)}` };
    // A sum of standard input is for the file that the list is named for.
    const isSubject = name === "-" || name === "stdin";
    const path = isSubject ? this.#subject?.document : name;
    if (checksum === undefined || path === undefined) return undefined;
    if (isSubject && checksum.algorithm !== this.#subject?.algorithm) return undefined;
    return { path, ...checksum };
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

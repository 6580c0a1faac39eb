/** Reads a list of checksums piece by piece; at most one line, of bounded length, is kept in memory. */
import { type ChecksumFile, checksumFile } from "./candidates.ts";
import { type Checksum, digestOf } from "./checksum.ts";
import {
  checksumsOfRow,
  columnsOf,
  continuesDigits,
  type ListedChecksum,
  nameOfTag,
  type Parts,
  partsOf,
} from "./list-forms.ts";

/** Characters; ENA's reports have some thousands in a line. */
const longestLine = 1024 * 1024;

/** Most lines that `gpg --print-md` writes for one file. */
const mostLinesOfDigits = 6;

export class ListReader {
  /** The file that the list is named for: "x.gz.sha256" is for "x.gz", even if its line has no name. */
  readonly #subject: ChecksumFile | undefined;
  readonly #found: (listed: ListedChecksum) => void;
  /** Number (from 1) of the first line that is neither checksum nor comment, and count of such lines. */
  readonly strange = { first: 0, count: 0 };
  #rest = "";
  #number = 0;
  #continuable: { text: string; readonly number: number } | undefined;
  #endOfSkippedArmour: RegExp | undefined;
  #columns: ReturnType<typeof columnsOf> = [];
  #hasPosixSums = false;

  constructor(listName: string, found: (listed: ListedChecksum) => void) {
    this.#subject = checksumFile(listName.replace(/sums$/i, "sum"));
    this.#found = found;
  }

  read(piece: string): void {
    const lines = piece.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.#line(this.#rest + line);
      this.#rest = "";
    }
    if (this.#rest.length <= longestLine) this.#rest += last;
  }

  end(): void {
    if (this.#rest !== "") this.#line(this.#rest);
    this.#endContinuable();
  }

  #line(octets: string): void {
    this.#number += 1;
    const bare = this.#number === 1 ? octets.replace(/^\u00EF\u00BB\u00BF/, "") : octets;
    const line = bare.endsWith("\r") ? bare.slice(0, -1) : bare;
    if (this.#isArmour(line)) return;
    const held = this.#continuable;
    const isNear = held !== undefined && this.#number < held.number + mostLinesOfDigits;
    if (isNear && continuesDigits(held.text, line)) {
      held.text += ` ${line}`;
      return;
    }
    this.#endContinuable();
    this.#continuable = { text: line, number: this.#number };
  }

  /** Lines around a clear-signed text, its headers, and the signature (RFC 4880 §7). */
  #isArmour(line: string): boolean {
    const [, kind] = /^-----BEGIN (PGP [A-Z ]{1,40})-----\s*$/.exec(line) ?? [];
    if (kind === "PGP SIGNED MESSAGE") this.#endOfSkippedArmour = /^\s*$/;
    else if (kind !== undefined) this.#endOfSkippedArmour = new RegExp(`^-----END ${kind}-----`);
    else if (this.#endOfSkippedArmour?.test(line)) this.#endOfSkippedArmour = undefined;
    else return this.#endOfSkippedArmour !== undefined;
    return true;
  }

  #endContinuable(): void {
    if (this.#continuable === undefined) return;
    const { text, number } = this.#continuable;
    this.#continuable = undefined;
    const found = text.length > longestLine ? undefined : this.#checksumsIn(text);
    for (const listed of found ?? []) this.#found(listed);
    if (found !== undefined) return;
    if (this.strange.count === 0) this.strange.first = number;
    this.strange.count += 1;
  }

  #checksumsIn(line: string): readonly ListedChecksum[] | undefined {
    const isRow = this.#columns.length > 0 && line.includes("\t");
    if (isRow && !line.startsWith("#")) return checksumsOfRow(line, this.#columns);
    const isComment = /^\s*(?:#|$)/.test(line);
    const parts = isComment ? undefined : partsOf(line);
    if (parts !== undefined) return this.#checksumOf(parts);
    const columns = columnsOf(line);
    if (columns.length > 0) this.#columns = columns;
    return isComment || columns.length > 0 ? [] : undefined;
  }

  #checksumOf(parts: Parts): readonly ListedChecksum[] | undefined {
    const { hex = "", tag, name = "-" } = parts;
    const algorithm = tag ? nameOfTag(tag) : undefined;
    const checksum = parts.sum === undefined ? digestOf(hex, algorithm) : this.#sumOf(parts);
    // A sum of standard input is for the file that the list is named for.
    const isSubject = name === "-" || name === "stdin";
    const path = isSubject ? this.#subject?.document : name;
    if (checksum === undefined || path === undefined) return undefined;
    if (isSubject && checksum.algorithm !== this.#subject?.algorithm) return undefined;
    return [{ ...checksum, path }];
  }

  /** Numbers of `sum` have five digits, of `cksum` mostly ten; a list has one kind only. */
  #sumOf({ sum = "", size = "" }: Parts): Checksum | undefined {
    const value = Number(sum);
    if (value > 0xffffffff) return undefined;
    if (value > 0xffff) this.#hasPosixSums = true;
    if (!this.#hasPosixSums && sum.length !== 5) return undefined;
    const algorithm = this.#hasPosixSums ? "cksum" : "sum";
    return { algorithm, value: `${this.#hasPosixSums ? value : sum} ${Number(size)}` };
  }
}

/**
 * ListReader: reads a list of checksums as it arrives, piece by piece, and hands on its checksums one
 * by one. It keeps one line of bounded length, however long the list is.
 */
import { type ChecksumFile, checksumFile } from "./candidates.ts";
import { type Checksum, digestAlgorithms, digestOf } from "./checksum.ts";
import {
  checksumsOfRow,
  columnsOf,
  continuesDigits,
  type ListedChecksum,
  nameOfTag,
  type Parts,
  partsOf,
} from "./list-forms.ts";

/** In characters: ENA's reports have some thousands in a line. */
const longestLine = 1024 * 1024;

/** The lines that `gpg --print-md` writes for one file. */
const mostLinesOfDigits = 6;

export class ListReader {
  /** File that the name of the list tells: "x.gz.sha256" has the checksum of "x.gz", maybe without its name. */
  readonly #subject: ChecksumFile | undefined;
  readonly #found: (listed: ListedChecksum) => void;
  /** Lines that are neither checksums nor comments: the number of the first, from 1, and how many. */
  readonly strange = { first: 0, count: 0 };
  /** The first algorithm of the list that is known, but not supported. */
  unsupported: string | undefined;
  /** The beginning of a line whose end has not arrived. */
  #rest = "";
  #number = 0;
  /** A line that waits, since the next one may continue it. */
  #held: { text: string; readonly number: number } | undefined;
  /** End of the present part of OpenPGP's armour, which is passed over. */
  #armourEnd: RegExp | undefined;
  #columns: ReturnType<typeof columnsOf> = [];
  #hasPosixSums = false;

  /** `listName` is the last segment of the list's own path. */
  constructor(listName: string, found: (listed: ListedChecksum) => void) {
    this.#subject = checksumFile(listName.replace(/sums$/i, "sum"));
    this.#found = found;
  }

  /** Reads further octets. */
  read(piece: string): void {
    const lines = piece.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.#line(this.#rest + line);
      this.#rest = "";
    }
    if (this.#rest.length <= longestLine) this.#rest += last;
  }

  /** Reads the last lines. */
  end(): void {
    if (this.#rest !== "") this.#line(this.#rest);
    this.#heldLine();
  }

  #line(ended: string): void {
    this.#number += 1;
    const begun = this.#number === 1 ? ended.replace(/^\u00EF\u00BB\u00BF/, "") : ended;
    const line = begun.endsWith("\r") ? begun.slice(0, -1) : begun;
    if (this.#isArmour(line)) return;
    const held = this.#held;
    const isNear = held !== undefined && this.#number < held.number + mostLinesOfDigits;
    if (isNear && continuesDigits(held.text, line)) {
      held.text += ` ${line}`;
      return;
    }
    this.#heldLine();
    this.#held = { text: line, number: this.#number };
  }

  /** RFC 4880 §7: the lines around a clear-signed text, its headers, and the signature. */
  #isArmour(line: string): boolean {
    const [, kind] = /^-----BEGIN (PGP [A-Z ]{1,40})-----\s*$/.exec(line) ?? [];
    if (kind === "PGP SIGNED MESSAGE") this.#armourEnd = /^\s*$/;
    else if (kind !== undefined) this.#armourEnd = new RegExp(`^-----END ${kind}-----`);
    else if (this.#armourEnd?.test(line)) this.#armourEnd = undefined;
    else return this.#armourEnd !== undefined;
    return true;
  }

  #heldLine(): void {
    if (this.#held === undefined) return;
    const { text, number } = this.#held;
    this.#held = undefined;
    const found = text.length > longestLine ? undefined : this.#checksumsIn(text);
    for (const listed of found ?? []) this.#found(listed);
    if (found !== undefined) return;
    if (this.strange.count === 0) this.strange.first = number;
    this.strange.count += 1;
  }

  /** Undefined for a strange line. */
  #checksumsIn(line: string): readonly ListedChecksum[] | undefined {
    const isRow = this.#columns.length > 0 && line.includes("\t");
    if (isRow && !line.startsWith("#")) return checksumsOfRow(line, this.#columns);
    const isSilent = /^\s*(?:#|$)/.test(line);
    const parts = isSilent ? undefined : partsOf(line);
    if (parts !== undefined) return this.#checksumOf(parts);
    const columns = columnsOf(line);
    if (columns.length > 0) this.#columns = columns;
    return isSilent || columns.length > 0 ? [] : undefined;
  }

  #checksumOf(parts: Parts): readonly ListedChecksum[] | undefined {
    const checksum = parts.sum === undefined ? this.#digestOf(parts) : this.#sumOf(parts);
    const { name = "-" } = parts;
    const isSubject = name === "-" || name === "stdin";
    const path = isSubject ? this.#subject?.document : name;
    if (checksum === undefined || path === undefined) return undefined;
    if (isSubject && checksum.algorithm !== this.#subject?.algorithm) return undefined;
    const { algorithm, value } = checksum;
    return [{ algorithm, value, path }];
  }

  #digestOf({ hex = "", tag }: Parts): Checksum | undefined {
    const name = tag ? nameOfTag(tag) : undefined;
    const checksum = digestOf(hex, name);
    if (checksum === undefined) this.unsupported ??= unsupportedAlgorithm(hex, name);
    return checksum;
  }

  /** A `sum` has five digits; `cksum` has mostly ten, and a list is of one kind. */
  #sumOf({ sum = "", size = "" }: Parts): Checksum | undefined {
    const value = Number(sum);
    if (value > 0xffffffff) return undefined;
    if (value > 0xffff) this.#hasPosixSums = true;
    if (!this.#hasPosixSums && sum.length !== 5) return undefined;
    const algorithm = this.#hasPosixSums ? "cksum" : "sum";
    return { algorithm, value: `${this.#hasPosixSums ? value : sum} ${Number(size)}` };
  }
}

function unsupportedAlgorithm(hex: string, name?: string): string | undefined {
  const isDigest = hex.length >= 32 && !digestAlgorithms.some((one) => one === name);
  const byLength: Readonly<Record<number, string>> = { 56: "sha224", 96: "sha384" };
  return isDigest ? (name ?? byLength[hex.length]) : undefined;
}

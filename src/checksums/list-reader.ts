/** Reads a list of checksums piece by piece; at most one line, of bounded length, is kept in memory. */
import { type ChecksumFile, checksumFile } from "./checksum-file.ts";
import { type Checksum, digestOf } from "./checksum.ts";
import {
  checksumsOfRow,
  columnsOf,
  type ListedChecksum,
  nameOfTag,
  type Parts,
  partsOf,
} from "./list-forms.ts";

/** Characters; ENA's reports have some thousands in a line. */
const longestLine = 1024 * 1024;

const byteOrderMark = /^\u00EF\u00BB\u00BF/;

/** Most lines that `gpg --print-md` writes for one file. */
const mostLinesOfDigits = 6;

export class ListReader {
  /** The file that the list is named for: "x.gz.sha256" is for "x.gz", even if its line has no name. */
  readonly #subject: ChecksumFile | undefined;
  readonly #found: (listed: ListedChecksum) => void;
  /** Lines that are neither checksum nor comment: number of the first one (from 1), and their count. */
  readonly strange = { first: 0, count: 0 };
  readonly #firstLines: string[] = [];
  #unended = "";
  #lineNumber = 0;
  #endOfSkippedArmour: RegExp | undefined;
  #columns: ReturnType<typeof columnsOf> = [];

  constructor(listName: string, found: (listed: ListedChecksum) => void) {
    this.#subject = checksumFile(listName.replace(/sums$/i, "sum"));
    this.#found = found;
  }

  read(piece: string): void {
    const lines = piece.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.#readLine(this.#unended + line);
      this.#unended = "";
    }
    // The rest of a longer line is dropped: the line is strange in any case.
    if (this.#unended.length <= longestLine) this.#unended += last;
  }

  end(): void {
    if (this.#unended !== "") this.#readLine(this.#unended);
    this.#readDigitsOfLines();
  }

  #readLine(octets: string): void {
    this.#lineNumber += 1;
    const bare = this.#lineNumber === 1 ? octets.replace(byteOrderMark, "") : octets;
    const line = bare.endsWith("\r") ? bare.slice(0, -1) : bare;
    if (this.#skipsArmour(line)) return;
    const checksums = line.length > longestLine ? undefined : this.#checksumsIn(line);
    for (const listed of checksums ?? []) this.#found(listed);
    if (checksums !== undefined) return;
    this.strange.count += 1;
    if (this.strange.count === 1) this.strange.first = this.#lineNumber;
    if (this.strange.count <= mostLinesOfDigits) this.#firstLines.push(line.slice(0, 1000));
  }

  /** Of one document, `gpg --print-md` writes a long checksum over several lines, behind the name. */
  #readDigitsOfLines(): void {
    const path = this.#subject?.document;
    const hex = this.#firstLines.join("").replace(/^.*:|\s+/g, "");
    const checksum = digestOf(hex, this.#subject?.algorithm);
    if (path === undefined || checksum === undefined) return;
    this.strange.count = 0;
    this.#found({ ...checksum, path });
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

  /** The result is empty for a comment or a table's titles, undefined for a strange line. */
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
    return [{ ...checksum, path }];
  }
}

/** Reads a list of checksums piece by piece; at most one line, of bounded length, is kept in memory. */
import { type ChecksumFile, checksumFile } from "./checksum-file.ts";
import { type Checksum, digestOf } from "./checksum.ts";
import { type ListedChecksum, nameOfTag, type Parts, partsOf } from "./list-forms.ts";

/** Characters: twice a checksum and the longest path. */
const longestLine = 16 * 1024;

const byteOrderMark = /^\u00EF\u00BB\u00BF/;

export class ListReader {
  /** The file that the list is named for: "x.gz.sha256" is for "x.gz", even if its line has no name. */
  readonly #subject: ChecksumFile | undefined;
  readonly #found: (listed: ListedChecksum) => void;
  #unended = "";
  #isFirstLine = true;
  #endOfSkippedArmour: RegExp | undefined;

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
    // The rest of a longer line is dropped: the line isn't read in any case.
    if (this.#unended.length <= longestLine) this.#unended += last;
  }

  end(): void {
    if (this.#unended !== "") this.#readLine(this.#unended);
  }

  /** A line that is no checksum says nothing: lists have headings and comments of any form. */
  #readLine(octets: string): void {
    const bare = this.#isFirstLine ? octets.replace(byteOrderMark, "") : octets;
    this.#isFirstLine = false;
    const line = bare.endsWith("\r") ? bare.slice(0, -1) : bare;
    if (this.#skipsArmour(line) || /^\s*#/.test(line) || line.length > longestLine) return;
    const parts = partsOf(line);
    const listed = parts && this.#checksumOf(parts);
    if (listed !== undefined) this.#found(listed);
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
    return { ...checksum, path };
  }
}

/**
 * The file that -c finds in a document's place, without a folder of this program. It may be the user's own: a
 * document takes its place only if no octet that is compared differs. A resumed transfer brings the file's last 4
 * KiB again, one that begins at 0 all of the file's octets.
 */
import { cannotContinue, noBeginning } from "../../files/file-error.ts";
import { isTaken, readTail } from "../../files/regular-file.ts";
import { BeginAgain } from "../retry.ts";

export class PlainFile {
  readonly #path: string;
  readonly octets: number;
  /** True once the comparison has reached the file's end: if the transfer breaks, what it stored can be kept. */
  fits = false;

  constructor(path: string, octets: number) {
    this.#path = path;
    this.octets = octets;
  }

  /** Compares octets of the document with the file's, as far as it goes. @throws FtpullError "integrity", "file" */
  check(position: number, octets: Buffer): void {
    const end = Math.min(position + octets.length, this.octets);
    if (end <= position) return;
    const here = readTail(this.#path, end, end - position);
    if (here.equals(octets.subarray(0, end - position))) return this.noteEqual(end);
    this.fits = false; // An earlier try of a document that has changed may have set it.
    throw noBeginning();
  }

  /** Notes that octets up to `end` were equal. A transfer brings them in order. */
  noteEqual(end: number): void {
    if (end === this.octets) this.fits = true;
  }

  checkLength(octets: number): void {
    if (octets < this.octets)
      throw cannotContinue(`the file here has ${this.octets} octets, the server's ${octets}`);
  }
}

/** Suffixes of the files in which aria2, lftp's pget and axel note the pieces that they have. */
const recordSuffixes = [".aria2", ".lftp-pget-status", ".st"];

const finishThere = "finish it with that program, or replace it with -f";

/** @throws BeginAgain or FtpullError "integrity" for a file that another program has begun in pieces */
export function checkPieces(path: string, isReplaceable: boolean): void {
  const record = recordSuffixes.map((suffix) => path + suffix).find((each) => isTaken(each));
  if (record === undefined) return;
  const holes = `"${path}" was begun in pieces by another program ("${record}")`;
  throw isReplaceable ? new BeginAgain(holes) : cannotContinue(holes, finishThere);
}

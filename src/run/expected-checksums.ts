/** --checksum and --checksums: which checksums each document of the run has to have. */
import { type ChecksumList, checksumsFor, readChecksumList } from "../checksums/checksum-list.ts";
import type { Checksum } from "../checksums/checksum.ts";
import type { Observer } from "../documents/events.ts";
import type { QueuedJob } from "../documents/job.ts";
import { FtpullError } from "../errors.ts";
import { inputName } from "../files/input-file.ts";
import type { Settings } from "../options/command-line.ts";

/** The checksums that the document of a name has to have; none where it isn't verified. */
export type ExpectedChecksums = (name: string) => readonly Checksum[];

/**
 * Reads what documents are verified by. Where a list says nothing of a document, the function
 * that is returned warns.
 * @throws FtpullError "file" for a list that can't be read
 */
export async function expectedChecksums(
  { checksum, checksums: file }: Settings,
  observer: Observer,
): Promise<ExpectedChecksums> {
  if (checksum !== undefined) return () => [checksum];
  if (file === undefined) return () => [];
  const list = await readChecksumList(file);
  warnOfStrangeLines(list, file, observer);
  return (name) => {
    const found = checksumsFor(name, list.checksums);
    if (found.length === 0)
      observer.warning(`${inputName(file)} has no checksum of "${name}": it is not verified`);
    return found;
  };
}

/** One checksum is for one document, which isn't a listing. @throws FtpullError "usage" */
export function checkSingleFile([first, second]: readonly QueuedJob[]): void {
  if (second !== undefined) {
    const hint = "--checksums takes a list of checksums";
    const words = `--checksum is for one document, and ${second.shownUrl} is a second one`;
    throw new FtpullError("usage", words, { hint });
  }
  if (first?.presumed.action !== "list") return;
  const words = `--checksum is for a file, and ${first.shownUrl} is a listing`;
  throw new FtpullError("usage", words);
}

function warnOfStrangeLines({ strangeLines }: ChecksumList, file: string, observer: Observer) {
  const [first, ...others] = strangeLines;
  if (first === undefined) return;
  const more = others.length === 0 ? "" : `, nor are ${others.length} more`;
  observer.warning(`line ${first} of ${inputName(file)} is no checksum${more}`);
}

/** Verifies files that are here already by their checksums. */
import type { Checksum } from "../../checksums/checksum.ts";
import { DocumentHash } from "../../checksums/document-hash.ts";
import { FtpullError } from "../../errors.ts";
import { existingFile, readTail } from "../../files/regular-file.ts";

/** The first checksum that a local file doesn't have, in words. */
export async function differenceHere(
  path: string,
  checksums: readonly Checksum[],
): Promise<string | undefined> {
  if (checksums.length === 0) return undefined;
  const octets = existingFile(path)?.size;
  if (octets === undefined) throw new FtpullError("file", `cannot verify "${path}": it is no file`);
  const hash = new DocumentHash(checksums);
  const tail = (end: number, length: number) => readTail(path, end, length, "follow");
  return hash.differenceIn({ label: path, tail }, octets);
}

/** Verifies files that are here already by their checksums. */
import type { Checksum } from "../../checksums/checksum.ts";
import { DocumentHash } from "../../checksums/document-hash.ts";
import { FtpullError } from "../../errors.ts";
import { existingFile, readTail } from "../../files/regular-file.ts";

/** @throws FtpullError "integrity" for a file that an option keeps, and that has another checksum */
export async function checkKept(
  path: string,
  checksums: readonly Checksum[],
  option: "-c" | "-nc",
): Promise<void> {
  const difference = await differenceHere(path, checksums);
  if (difference === undefined) return;
  const words = `"${path}" is left as it is: ${difference}`;
  const hint = `fetch it again with -f in place of ${option}`;
  throw new FtpullError("integrity", words, { hint });
}

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

/** The file that a document replaces: its version, which shows a change, and its comparison with the document. */
import { foundExactly, readRange, readTail } from "../regular-file.ts";

/** Inode, size and time of a regular file. Some file systems get another device number at each start of the system. */
export function versionAt(path: string): string | undefined {
  const file = foundExactly(path);
  return file?.isFile() ? `${file.ino}:${file.size}:${file.mtimeNs}` : undefined;
}

/** True if the octets of the file at `path` are the first ones of the file `whole`. */
export async function isBeginning(path: string, whole: string): Promise<boolean> {
  let end = 0;
  for await (const octets of readRange(path, 0, Infinity, "refuse")) {
    end += octets.length;
    if (!readTail(whole, end, octets.length).equals(octets)) return false;
  }
  return true;
}

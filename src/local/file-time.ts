/** Modification times of files, as far as the file system takes them. */
import * as fs from "node:fs";

/** No document is given up for a time that the file system doesn't take: year 99999, say. */
export function setTime(fd: number, modified: Date): void {
  try {
    fs.futimesSync(fd, modified, modified);
  } catch {
    // the octets are whole all the same
  }
}

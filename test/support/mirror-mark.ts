import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the mark that an earlier mirror of this URL leaves in its directory: --delete may remove files there. */
export function leaveMark(folder: string, url: string): void {
  writeFileSync(join(folder, ".ftpull-mirror"), `${url}\n`);
}

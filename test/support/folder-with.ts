import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Makes a directory with these files for the running test; a directory's path ends in "/". */
export async function folderWith(files: Record<string, string | Buffer>): Promise<string> {
  const folder = await temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, `${path}x`)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(folder, path), content, { mode: 0o600 });
  }
  return folder;
}

/** --manual: the installed page, which npm 12 and later don't give to man(1). */
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export async function manualPage(): Promise<string> {
  const launcher = await realpath(process.argv[1] ?? "");
  const page = await readFile(join(launcher, "../../dist/manual.gz"));
  return gunzipSync(page).toString();
}

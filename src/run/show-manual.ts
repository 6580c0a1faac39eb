/** --manual: shows the installed page, which npm 12 and later don't give to man(1). */
// The bundle has a stub for "node:child_process", which commander would load in each run.
import { spawn } from "child_process";
import { once } from "node:events";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isatty } from "node:tty";
import { gunzipSync } from "node:zlib";
import { print } from "./print.ts";

export async function showManual(): Promise<void> {
  const launcher = await realpath(process.argv[1] ?? "");
  const folder = join(launcher, "../..");
  if (isatty(1) && (await manShows(join(folder, "man/ftpull.1")))) return;
  await print(gunzipSync(await readFile(join(folder, "dist/manual.gz"))).toString());
}

async function manShows(page: string): Promise<boolean> {
  // If Ctrl-C ended the program, both pager and shell would read the terminal.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  try {
    const viewer = spawn("man", [page], { stdio: "inherit" });
    const [status] = (await once(viewer, "close")) as [number];
    return status === 0;
  } catch {
    return false;
  } finally {
    process.off("SIGINT", ignore);
  }
}

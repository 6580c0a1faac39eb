/** What a kill would leave of a run: the states that its directory passes through. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { run } from "../../support/run.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const hook = fileURLToPath(new URL("kept-states.cjs", import.meta.url));

/** Runs the program to its end; gives a copy of `cwd` before each step that changes a file, and `cwd`. */
export async function statesOf(args: readonly string[], cwd: string): Promise<string[]> {
  const copies = await temporaryDirectory();
  const env = { NODE_OPTIONS: `--require ${hook}`, STATES: copies };
  const { status, stderr } = await run(args, { cwd, env });
  const words = stderr.replace(/^ftpull: \S+: saved as ".*"\n/, "");
  expect({ status, words }).toEqual({ status: 0, words: "" });
  return [...readdirSync(copies).map((name) => join(copies, name)), cwd];
}

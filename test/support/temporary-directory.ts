/** Makes an empty directory for the running test, removed after it. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "ftpull-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

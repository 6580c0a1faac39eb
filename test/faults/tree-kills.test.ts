/** A tree that is killed at any moment: the same command again brings the rest. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedOctets } from "../support/generated.ts";
import { localFiles } from "../support/local-tree.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { statesOf } from "./support/kept-states.ts";

interface Source {
  readonly path: string;
  readonly size: number;
  readonly seed: number;
  readonly modified: Date;
}

/** One file is empty, and one too large to wait in memory. */
function sourcesOf(count: number): Source[] {
  return Array.from({ length: count }, (_, index) => ({
    path: `d/${index}/f${index}`,
    size: index === 2 ? 200_000 : index * 37,
    seed: 1 + index,
    modified: new Date(Date.UTC(2020, 0, 1, 0, 0, index)),
  }));
}

function serverOf(sources: readonly Source[]): Promise<ScriptedServer> {
  const files = sources.map(({ path, size, seed, modified }) => {
    return [path, { content: { size, seed }, modified }] as const;
  });
  return startServer({ files: Object.fromEntries(files) });
}

/** The paths of the files that are here as they are there. */
function wholeIn(cwd: string, sources: readonly Source[]): Source[] {
  return sources.filter((source) => {
    const stats = statSync(join(cwd, source.path), { throwIfNoEntry: false });
    return stats?.size === source.size && stats.mtimeMs === source.modified.getTime();
  });
}

/** A name never holds anything else than the whole file. */
function expectNothingHalf(cwd: string, sources: readonly Source[], when: string): void {
  for (const { path, size, seed } of sources) {
    if (!existsSync(join(cwd, path))) continue;
    const octets = readFileSync(join(cwd, path));
    expect(octets.equals(generatedOctets(seed, 0, size)), `${path} ${when}`).toBe(true);
  }
}

/** Runs to the end: the tree is here, nothing else is, and nothing was fetched twice. */
async function expectRest(
  server: ScriptedServer,
  args: readonly string[],
  cwd: string,
  sources: readonly Source[],
  when: string,
): Promise<void> {
  const whole = wholeIn(cwd, sources).map(({ path }) => path);
  const first = server.commands.length;
  const { status, stderr } = await run(args, { cwd });
  expect(status, `${when}: ${stderr.slice(-2000)}`).toBe(0);
  expectNothingHalf(cwd, sources, when);
  const paths = sources.map(({ path }) => path).toSorted();
  // A kill around the moment in which a file gets its name leaves its private name, or its state.
  const isLeft = (name: string): boolean =>
    /\.ftpull-[0-9a-f]{16}$/.test(name) || whole.some((path) => name === `${path}.ftpull.json`);
  const names = Object.keys(localFiles(cwd)).filter((name) => !isLeft(name));
  expect(names.toSorted(), when).toEqual(paths);
  expect(wholeIn(cwd, sources), when).toHaveLength(sources.length);
  const asked = server.commands.slice(first).filter((command) => command.startsWith("RETR "));
  const again = whole.filter((path) => asked.includes(`RETR ${path.split("/").at(-1)}`));
  expect(again, `fetched again, ${when}`).toEqual([]);
}

test("killed before any step that changes a file", async () => {
  const sources = sourcesOf(3);
  const server = await serverOf(sources);
  const args = ["-r", "-q", server.url("/d/")];
  const states = await statesOf(args, await temporaryDirectory());
  for (const [step, cwd] of states.entries()) {
    expectNothingHalf(cwd, sources, `at step ${step}`);
    await expectRest(server, args, cwd, sources, `at step ${step}`);
  }
});

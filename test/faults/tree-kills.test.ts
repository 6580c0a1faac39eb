/** Trees that are interrupted or killed at any moment: the same command again brings the rest. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { generatedOctets } from "../support/generated.ts";
import { localFiles } from "../support/local-tree.ts";
import { campaign } from "../support/campaign.ts";
import { startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { statesOf } from "./support/kept-states.ts";
import { Random } from "./support/random.ts";

interface Source {
  readonly path: string;
  readonly size: number;
  readonly seed: number;
  readonly modified: Date;
}

/** Every fiftieth file is too large to wait in memory, and some are empty. */
function sourcesOf(count: number): Source[] {
  return Array.from({ length: count }, (_, index) => ({
    path: `d/${index % 20}/f${index}`,
    size: index % 50 === 7 ? 200_000 : (index * 37) % 5000,
    seed: 1 + (index % 3),
    modified: new Date(Date.UTC(2020, 0, 1, 0, 0, index)),
  }));
}

function serverOf(sources: readonly Source[], features?: string[]): Promise<ScriptedServer> {
  const files = sources.map(({ path, size, seed, modified }) => {
    return [path, { content: { size, seed }, modified }] as const;
  });
  return startServer({ files: Object.fromEntries(files), ...(features && { features }) });
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
  const whole = wholeIn(cwd, sources).map(({ path }) => path.split("/").at(-1)!);
  const first = server.commands.length;
  const { status, stderr } = await run(args, { cwd });
  expect(status, `${when}: ${stderr.slice(-2000)}`).toBe(0);
  expectNothingHalf(cwd, sources, when);
  const paths = sources.map(({ path }) => path).toSorted();
  // A kill just before a file gets its name leaves it under a private one.
  const names = Object.keys(localFiles(cwd)).filter((name) => !/\.ftpull-[0-9a-f]{16}$/.test(name));
  expect(names.toSorted(), when).toEqual(paths);
  expect(wholeIn(cwd, sources), when).toHaveLength(sources.length);
  const asked = server.commands.slice(first).filter((command) => command.startsWith("RETR "));
  const again = whole.filter((name) => asked.includes(`RETR ${name}`));
  expect(again, `fetched again, ${when}`).toEqual([]);
}

const stops = {
  title: "stopped at a random moment",
  sample: 3,
  full: 50,
  width: 2,
  budgetMs: 60_000,
};

test(stops.title, { timeout: 7_200_000 }, () => campaign(stops, stopTwice));

async function stopTwice(seed: number): Promise<void> {
  const random = new Random(seed);
  const sources = sourcesOf(250);
  const server = await serverOf(sources, random.chance(0.5) ? ["UTF8", "SIZE", "MDTM"] : undefined);
  const cwd = await temporaryDirectory();
  const args = ["-r", "-q", "-j", random.pick(["1", "4"]), server.url("/d/")];
  for (const signal of [seed % 2 === 0 ? "SIGINT" : "SIGKILL", "SIGKILL"] as const) {
    const count = 1 + random.below(120);
    const pause = random.pick([0, random.below(30)]);
    const when = `${signal} ${pause} ms after ${count} files`;
    const program = await startProgram(args, { cwd });
    server.on(`RETR#${count}`, async (exchange) => {
      await delay(pause);
      program.child.kill(signal);
      await exchange.proceed();
    });
    const { signal: ended, stderr } = await program.finished;
    expect(ended, `${when}: ${stderr}`).toBe(signal);
    expectNothingHalf(cwd, sources, when);
  }
  await expectRest(server, args, cwd, sources, "after two signals");
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

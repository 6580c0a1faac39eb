/** Storms of several runs: at once in one tree, or one that sleeps while another takes its partial file over. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { Gate, transfer } from "../../support/actions.ts";
import { generatedOctets } from "../../support/generated.ts";
import type { RunningProgram, RunResult } from "../../support/run.ts";
import type { Step } from "../../support/script.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import { type FileEntry, fileEntry } from "../../support/tree.ts";
import type { Random } from "./random.ts";
import { type Began, Place, treePlace } from "./storm-place.ts";

/** The environment of a process that seems to run on another machine. */
const away = preloading("elsewhere.cjs");

/** The environment of a run after which nothing of other machines' runs is there. */
const later = preloading("later.cjs");

function preloading(name: string): Record<string, string> {
  return { NODE_OPTIONS: `--require=${fileURLToPath(new URL(name, import.meta.url))}` };
}

export async function severalRuns(random: Random, began: Began): Promise<void> {
  const place = began(await treePlace(random, 60));
  const tree = place.server.url("/t/");
  const meet = meeting();
  place.on("RETR", meet);
  const start = (): Promise<RunningProgram> => {
    const mode = random.pick([[], [], ["-c"], ["-f"]]);
    const args = ["-r", "-t2", "-j", random.pick(["1", "3"]), ...mode, tree];
    return place.start(args, { env: random.chance(0.3) ? away : {} });
  };
  const programs = await Promise.all(Array.from({ length: random.pick([2, 2, 3]) }, start));
  if (random.chance(0.5)) {
    const signal = random.pick(["SIGKILL", "SIGINT", "SIGSTOP"] as const);
    const napMs = random.below(400);
    let left = random.below(60 * programs.length);
    place.on("RETR", (exchange) => {
      if (left-- === 0) void strike(programs[0]!, signal, napMs);
      return meet(exchange);
    });
  }
  await Promise.all(programs.map((program) => place.ended(program)));
  await place.checkLast(["-r", tree], { env: later });
}

async function strike({ child }: RunningProgram, signal: NodeJS.Signals, napMs: number) {
  child.kill(signal);
  await delay(napMs);
  child.kill("SIGCONT");
}

/** Runs that fetch one document: each has a name of its own, replaces the file, or goes on with what is there. */
export async function sameDocument(random: Random, began: Began): Promise<void> {
  const size = random.pick([random.below(60_000), 70_000 + random.below(1_000_000)]);
  const versions = [generatedOctets(1, 0, size), generatedOctets(2, 0, size)];
  const server = await ScriptedServer.start({ files: { x: versions[0]! } });
  const names = ["x", "x.1", "x.2", "x.3"];
  const place = began(
    await Place.make(server, Object.fromEntries(names.map((x) => [x, versions]))),
  );
  const modes = Array.from({ length: 3 }, () => random.pick([[], [], ["-c"], ["-f"], ["-N"]]));
  const programs = await Promise.all(
    modes.map((mode) =>
      place.start(["-t3", "-s", random.pick(["1", "2"]), ...mode, server.url("/x")]),
    ),
  );
  const meet = meeting();
  const [isKilled, isReplaced] = [random.chance(0.4), random.chance(0.3)];
  let left = random.below(3);
  place.on("RETR", async (exchange) => {
    const document = exchange.session.find("x");
    if (left-- === 0 && isKilled) programs[0]!.child.kill("SIGKILL");
    await meet(exchange);
    if (left === 0 && isReplaced && document?.kind === "file")
      Object.assign(document, fileEntry({ content: versions[1]!, modified: newer }));
  });
  const results = await Promise.all(programs.map((program) => place.ended(program, [])));
  place.check(results.filter(({ status }) => status === 0).map(savedAs));
  const own = results.filter(({ status }, index) => status === 0 && modes[index]!.length === 0);
  const count = names.filter((name) => existsSync(join(place.cwd, name))).length;
  expect(count, "files of runs that replace none").toBeGreaterThanOrEqual(own.length);
  if (!isKilled) await place.checkLast(["-f", server.url("/x")], { paths: ["x"] });
}

/** A run that finds the name in use by another one takes a number, though that other one may be killed. */
function savedAs({ stderr }: RunResult): string {
  return /: saved as "(.+)"$/m.exec(stderr)?.[1] ?? "x";
}

const newer = new Date("2021-02-03T04:05:06Z");

/** Transfers of one file wait for each other a little: their runs come to its end at the same time. */
function meeting(): Step {
  const waiting = new Map<string, Gate>();
  return async (exchange) => {
    const other = waiting.get(exchange.argument);
    const gate = other ?? new Gate();
    if (other) gate.open();
    else waiting.set(exchange.argument, gate);
    await Promise.race([gate.opened, delay(30)]);
    waiting.delete(exchange.argument);
    await exchange.proceed();
  };
}

/** A document, of which the server may get another version of the same size while the first run sleeps. */
export async function sleeper(random: Random, began: Began): Promise<void> {
  const length = 300_000 + random.below(700_000);
  const versions = [generatedOctets(1, 0, length), generatedOctets(2, 0, length)];
  const server = await ScriptedServer.start({ files: { x: versions[0]! } });
  const place = began(await Place.make(server, { x: versions }));
  const gate = new Gate();
  const pause = { after: 100_000 + random.below(length - 100_000), until: gate.opened };
  let document: FileEntry | undefined;
  server.on("RETR#1", (exchange) => {
    document = exchange.session.find("/x") as FileEntry;
    return transfer({ pause })(exchange);
  });
  const first = await place.start(["-t1", server.url("/x")], { env: away });
  const data = join(place.cwd, "x.ftpull");
  await expect.poll(() => statSync(data, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(0);
  first.child.kill("SIGSTOP");
  if (random.chance(0.5)) {
    Object.assign(document!, fileEntry({ content: versions[1]!, modified: newer }));
  }
  const wake = (): void => {
    gate.open();
    first.child.kill("SIGCONT");
  };
  if (random.chance(0.5)) place.on("RETR#2", (exchange) => (wake(), exchange.proceed()));
  await place.run(["-c", server.url("/x")], undefined, { env: later });
  wake();
  await place.ended(first, []);
  await place.checkLast(["-c", server.url("/x")]);
}

/** Storms of several runs: at once in one tree, or one that sleeps while another takes its folder over. */
import { existsSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { Gate, transfer } from "../../support/actions.ts";
import { generatedOctets } from "../../support/generated.ts";
import type { RunningProgram } from "../../support/run.ts";
import type { Step } from "../../support/script.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import { type FileEntry, fileEntry } from "../../support/tree.ts";
import type { Random } from "./random.ts";
import { type Began, Place, treePlace } from "./storm-place.ts";

const elsewhere = fileURLToPath(new URL("elsewhere.cjs", import.meta.url));

export async function severalRuns(random: Random, began: Began): Promise<void> {
  const place = began(await treePlace(random, 60));
  const tree = place.server.url("/t/");
  const meet = meeting();
  place.on("RETR", meet);
  const start = (): Promise<RunningProgram> => {
    const mode = random.pick([[], [], ["-c"], ["-f"]]);
    return place.start(["-r", "-t2", "-j", random.pick(["1", "3"]), ...mode, tree]);
  };
  const programs = await Promise.all(Array.from({ length: random.pick([2, 2, 3]) }, start));
  if (random.chance(0.5)) {
    const signal = random.pick(["SIGKILL", "SIGINT"] as const);
    let left = random.below(60 * programs.length);
    place.on("RETR", (exchange) => {
      if (left-- === 0) programs[0]!.child.kill(signal);
      return meet(exchange);
    });
  }
  await Promise.all(programs.map((program) => place.ended(program)));
  await place.checkLast(["-r", tree]);
}

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
  const env = { NODE_OPTIONS: `--require=${elsewhere}` };
  const first = await place.start(["-t1", server.url("/x")], { env });
  const folder = join(place.cwd, "x.ftpull");
  await expect.poll(() => existsSync(join(folder, "data")) && sizeOf(folder)).toBeGreaterThan(0);
  first.child.kill("SIGSTOP");
  age(folder);
  if (random.chance(0.5)) {
    const modified = new Date("2021-02-03T04:05:06Z");
    Object.assign(document!, fileEntry({ content: versions[1]!, modified }));
  }
  const wake = (): void => {
    gate.open();
    first.child.kill("SIGCONT");
  };
  if (random.chance(0.5)) place.on("RETR#2", (exchange) => (wake(), exchange.proceed()));
  await place.run(["-c", server.url("/x")]);
  wake();
  await place.ended(first, []);
  await place.checkLast(["-c", server.url("/x")]);
}

const sizeOf = (folder: string): number => statSync(join(folder, "data")).size;

/** Nothing has been written for more than ten minutes. */
function age(folder: string): void {
  const then = Date.now() / 1000 - 700;
  for (const name of ["data", "state.json", "."])
    if (existsSync(join(folder, name))) utimesSync(join(folder, name), then, then);
}

/** A tree in a storm: its listings, its files, which grow, and the commands on the way to them are struck. */
import { expect } from "vitest";
import { generatedOctets } from "../../support/generated.ts";
import { type Action, type Exchange, perform } from "../../support/script.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import { fileEntry, realPathname, resolvePathname } from "../../support/tree.ts";
import type { Random } from "./random.ts";
import { type Began, Place } from "./storm-place.ts";
import { calm, Storm } from "./storm-weather.ts";

/** Commands with faults; the last one has none. */
const mostCommands = 6;

const large = 150_000;

/** Links that lead into the tree: each becomes a local one, and what it leads to is fetched once. */
const inside = {
  "t/latest": "c",
  "t/a/f": "../f0",
  "t/c/d/up": "../..",
  "t/c/far": "../a/b/f2",
  "t/c/d/e/deep": "../../../a/b",
  "t/gone": "c/none",
};

interface Source {
  readonly size: number;
  readonly seed: number;
  readonly modified: Date;
}

const octetsOf = ({ seed, size }: Source): Buffer => generatedOctets(seed, 0, size);

/** -r, until its status is 0, brings the whole tree, whatever befalls it. */
export async function stormOfTrees(random: Random, began: Began): Promise<void> {
  const sources = new Map<string, Source>(
    Array.from({ length: 60 }, (_, index) => {
      const name = index % 6 === 1 ? `2021-03-14 10:00 f${index}` : `${random.pick(["", "."])}f${index}`; // prettier-ignore
      const path = `t/${["", "a/", "a/b/", "c/", "c/d/e/"][index % 5]}${name}`;
      const size = index % 20 === 3 ? large : random.pick([0, 1, random.below(9000)]);
      return [path, { size, seed: 1 + (index % 7), modified: new Date(Date.UTC(2020, 0, 1, 0, 0, index)) }]; // prettier-ignore
    }),
  );
  const habits = habitsOf(random);
  const hasSize = !("SIZE" in habits);
  const known = ["SIZE", "MDTM"].filter((verb) => !(verb in habits));
  const features = ["UTF8", ...known, "REST STREAM"];
  const files = [...sources].map(([path, source]) => {
    return [path, { content: octetsOf(source), modified: source.modified }] as const;
  });
  const server = await ScriptedServer.start({
    files: { ...Object.fromEntries(files), "linked/y": "behind a link" },
    directories: ["t/empty/too"],
    links: { "t/l": "../linked/y", ...inside },
    ...((random.chance(0.5) || !hasSize) && { features }), // then without MLSD
    hidesDots: !("LIST -a" in habits),
  });
  const directories = ["", "a/", "a/b/", "c/", "c/d/", "c/d/e/", "empty/", "empty/too/"];
  const place = began(
    await Place.make(server, {
      ...Object.fromEntries([...sources].map(([path, source]) => [path, octetsOf(source)])),
      ...Object.fromEntries(directories.map((path) => [`t/${path}`, ""])),
      ...Object.fromEntries(Object.entries(inside).map(([path, to]) => [path, ` -> ${to}`])),
      // What is behind a link out of the tree is fetched where SIZE tells that it is a file.
      ...(hasSize && { "t/l": "behind a link" }),
    }),
  );
  const stalls = random.chance(0.2);
  const weather = { ...calm, transfers: 0.15, listings: 0.2, commands: 0.02, stalls };
  const storm = new Storm(server, weather, random, (exchange) => answer(exchange, habits));
  const empty = [...sources].filter(([, { size }]) => size === 0).map(([path]) => path);
  const grow = (path: string, { session, argument }: Exchange): void => {
    const before = sources.get(path)!;
    const modified = new Date(before.modified.getTime() + 1000);
    const source = { ...before, size: before.size + 1 + random.below(9000), modified };
    sources.set(path, source);
    place.files.get(path)!.push(octetsOf(source).toString("latin1"));
    Object.assign(session.find(argument)!, fileEntry({ content: octetsOf(source), modified }));
  };
  let [retrievals, kill] = [0, (): unknown => undefined];
  server.on("RETR", async (exchange) => {
    const { session, argument } = exchange;
    if (--retrievals === 0) kill();
    const pathname = resolvePathname(session.workingDirectory, argument);
    const path = realPathname(session.context.root, pathname)?.slice(1) ?? "";
    const source = sources.get(path);
    if (source === undefined) return exchange.proceed();
    const grows = storm.strikes(0.05);
    const isBehind = random.chance(0.5);
    // The file grows between the client's question for its size and its last octet, or behind that.
    if (grows && !isBehind) grow(path, exchange);
    const left = source.size - session.offset;
    // Once it grows where SIZE is refused, the end of an empty file has no other sign than 226.
    if (grows) await exchange.proceed();
    else await storm.retrieve(exchange, Math.max(0, left), hasSize || !empty.includes(path));
    if (grows && isBehind) grow(path, exchange);
  });
  const args = ["-r", "-j", random.pick(["1", "3", "5"]), server.url("/t/")];
  for (let number = 1, status = NaN; status !== 0; number++) {
    const isLast = number > mostCommands;
    storm.rage(isLast ? 0 : 1 + random.below(12));
    const program = await place.start(isLast ? args : ["-t", "2", "-T", "3", ...args]);
    const signal = random.pick(["SIGINT", "SIGKILL"] as const);
    const isKilled = !isLast && random.chance(0.4);
    [retrievals, kill] = isKilled
      ? [1 + random.below(20), () => program.child.kill(signal)]
      : [0, () => undefined];
    const result = await place.ended(program);
    expect(!isLast || result.status === 0, "the last run").toBe(true);
    status = result.status ?? NaN;
  }
  place.checkNothingLeft();
}

type Habits = Readonly<Record<string, Action>>;

function habitsOf(random: Random): Habits {
  const noSuch = "-a: No such file or directory";
  return {
    ...(random.chance(0.3) && { PWD: '257 "/" is the current directory' }),
    ...(random.chance(0.5) && { "LIST -a": `${random.pick([550, 450])} ${noSuch}` }),
    ...(random.chance(0.3) && { SIZE: "502 Not implemented" }),
  };
}

function answer(exchange: Exchange, habits: Habits): Promise<void> {
  const { verb, argument } = exchange;
  const habit = habits[`${verb} ${argument}`.trimEnd()] ?? habits[verb];
  return habit === undefined ? exchange.proceed() : perform(habit, exchange);
}

/** A tree in a storm: its listings, its files and the commands on the way to them are struck. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { reset, transfer } from "../../support/actions.ts";
import { generatedOctets } from "../../support/generated.ts";
import { type Action, type Exchange, perform } from "../../support/script.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import {
  type DirectoryEntry,
  fileEntry,
  findEntry,
  realPathname,
  resolvePathname,
} from "../../support/tree.ts";
import type { Random } from "./random.ts";
import {
  breaks,
  busy,
  emptyFaults,
  refusals,
  sizedFaults,
  transferFaults,
} from "./storm-faults.ts";

const commands = "HOST USER PASS FEAT PWD CWD TYPE SIZE MDTM EPSV QUIT".split(" ");

const dispensable = new Set(["FEAT", "EPSV"]);

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

/** A file; some grow while they are fetched, as logs do. */
interface Source {
  readonly path: string;
  readonly size: number;
  readonly seed: number;
  readonly modified: Date;
}

const unknown: readonly Action[] = [
  "550 -a: No such file or directory",
  "450 -a: No such file or directory",
];

type Habits = Readonly<Record<string, Action>>;

export class StormTree {
  readonly server: ScriptedServer;
  readonly #expected: Record<string, string>;
  readonly #sources: Map<string, Source>;
  readonly #former = new Map<string, string[]>();
  /** Files that were empty at first, where SIZE is refused: once they grow, the end has no other sign than 226. */
  readonly #unsized: ReadonlySet<string>;
  readonly #random: Random;
  readonly #stalls: boolean;
  readonly #habits: Habits;
  #faults = 0;
  #atRetrieval: ((root: DirectoryEntry) => void) | undefined;
  #retrievals = 0;

  private constructor(
    server: ScriptedServer,
    random: Random,
    sources: readonly Source[],
    expected: Record<string, string>,
    habits: Habits,
  ) {
    this.server = server;
    this.#habits = habits;
    this.#sources = new Map(sources.map((source) => [source.path, source]));
    const empty = sources.filter(({ size }) => size === 0).map(({ path }) => path);
    this.#unsized = new Set("SIZE" in habits ? empty : []);
    this.#expected = expected;
    this.#random = random;
    this.#stalls = random.chance(0.2);
    for (const verb of commands) server.on(verb, (exchange) => this.#command(exchange));
    for (const verb of ["MLSD", "LIST"]) server.on(verb, (exchange) => this.#list(exchange));
    server.on("RETR", (exchange) => this.#retrieve(exchange));
  }

  static async start(random: Random): Promise<StormTree> {
    const sources = Array.from({ length: 60 }, (_, index) => ({
      path: `t/${["", "a/", "a/b/", "c/", "c/d/e/"][index % 5]}${nameOf(index)}`,
      size: index % 20 === 3 ? large : random.pick([0, 1, random.below(9000)]),
      seed: 1 + (index % 7),
      modified: new Date(Date.UTC(2020, 0, 1, 0, 0, index)),
    }));
    const files = sources.map(({ path, size, seed, modified }) => {
      return [path, { content: { size, seed }, modified }] as const;
    });
    const habits = habitsOf(random);
    const known = ["SIZE", "MDTM"].filter((verb) => !(verb in habits));
    const features = ["UTF8", ...known, "REST STREAM"];
    const server = await ScriptedServer.start({
      files: { ...Object.fromEntries(files), "linked/y": "behind a link" },
      directories: ["t/empty/too"],
      links: { "t/l": "../linked/y", ...inside },
      ...((random.chance(0.5) || "SIZE" in habits) && { features }), // then without MLSD
    });
    const directories = ["t/", "t/a/", "t/a/b/", "t/c/", "t/c/d/", "t/c/d/e/"];
    const expected = sources.map((source) => [source.path, textOf(source)] as const);
    const empty = [...directories, "t/empty/", "t/empty/too/"].map((path) => [path, ""] as const);
    const kept = Object.entries(inside).map(([path, target]) => [path, ` -> ${target}`]);
    // What is behind a link out of the tree is fetched where SIZE tells that it is a file.
    const copied = "SIZE" in habits ? {} : { "t/l": "behind a link" };
    const linked = { ...copied, ...Object.fromEntries(kept) };
    const whole = { ...Object.fromEntries([...expected, ...empty]), ...linked };
    return new StormTree(server, random, sources, whole, habits);
  }

  /** The paths of a whole copy; those of directories end in "/". */
  get paths(): readonly string[] {
    return Object.keys(this.#expected);
  }

  isWhole(path: string, octets: string): boolean {
    const source = this.#sources.get(path);
    const now = source === undefined ? this.#expected[path] : textOf(source);
    return octets === now || (this.#former.get(path)?.includes(octets) ?? false);
  }

  rage(faults: number): void {
    this.#faults = faults;
  }

  /** Calls `act` when so many further files are asked for. */
  atRetrieval(count: number, act: (root: DirectoryEntry) => void): void {
    this.#retrievals = count;
    this.#atRetrieval = act;
  }

  /** A file leaves the server; its path is returned. */
  remove(root: DirectoryEntry): string {
    const { path } = this.#random.pick([...this.#sources.values()]);
    const directory = findEntry(root, `/${dirname(path)}`);
    if (directory?.kind === "directory") directory.entries.delete(basename(path));
    this.#sources.delete(path);
    delete this.#expected[path];
    return path;
  }

  /** A file comes to the server, and at once to `cwd`, as another run brings it. */
  add(root: DirectoryEntry, cwd: string): void {
    const folder = this.#random.pick(["t", "t/a/b", "t/c/d/e"]);
    const path = `${folder}/late${this.#sources.size}-${this.#random.below(1e9)}`;
    const source = { path, size: this.#random.below(9000), seed: 3, modified: new Date(1e12) };
    const { size, seed, modified } = source;
    const directory = findEntry(root, `/${folder}`);
    if (directory?.kind !== "directory") throw new Error(`no directory ${folder}`);
    directory.entries.set(basename(path), fileEntry({ content: { size, seed }, modified }));
    this.#sources.set(path, source);
    this.#expected[path] = textOf(source);
    mkdirSync(join(cwd, folder), { recursive: true });
    writeFileSync(join(cwd, path), textOf(source), "latin1");
    utimesSync(join(cwd, path), modified, modified);
  }

  #strikes(chance: number): boolean {
    if (this.#faults === 0 || !this.#random.chance(chance)) return false;
    this.#faults -= 1;
    return true;
  }

  #command(exchange: Exchange): Promise<void> {
    if (!this.#strikes(0.02)) return this.#answer(exchange);
    const { verb } = exchange;
    const replies = [...(busy[verb] ?? []), ...(dispensable.has(verb) ? refusals[verb]! : [])];
    if (replies.length > 0 && this.#random.chance(0.5))
      return exchange.session.reply(this.#random.pick(replies));
    return perform(this.#random.pick([breaks.close, breaks.reset, breaks["421"]]), exchange);
  }

  #answer(exchange: Exchange): Promise<void> {
    const { verb, argument } = exchange;
    const habit = this.#habits[`${verb} ${argument}`.trimEnd()] ?? this.#habits[verb];
    return habit === undefined ? exchange.proceed() : perform(habit, exchange);
  }

  /** Nothing but a reply tells a part of a listing from the whole. */
  #list(exchange: Exchange): Promise<void> {
    if (!this.#strikes(0.2)) return this.#answer(exchange);
    return this.#strike(transferFaults, this.#random.below(300), exchange);
  }

  #retrieve(exchange: Exchange): Promise<void> {
    if (--this.#retrievals === 0) this.#atRetrieval?.(exchange.session.context.root);
    if (this.#strikes(0.05)) return this.#retrieveGrowing(exchange);
    if (!this.#strikes(0.15)) return exchange.proceed();
    const { path = "", size } = this.#sourceOf(exchange) ?? {};
    const faults = size === 0 ? emptyFaults : this.#unsized.has(path) ? {} : sizedFaults;
    return this.#strike({ ...transferFaults, ...faults }, this.#random.below(large), exchange);
  }

  /** The file grows between the client's question for its size and its last octet, or behind that. */
  async #retrieveGrowing(exchange: Exchange): Promise<void> {
    const isBehind = this.#random.chance(0.5);
    if (!isBehind) this.#grow(exchange);
    await exchange.proceed();
    if (isBehind) this.#grow(exchange);
  }

  #sourceOf({ session, argument }: Exchange): Source | undefined {
    const pathname = resolvePathname(session.workingDirectory, argument);
    return this.#sources.get(realPathname(session.context.root, pathname)?.slice(1) ?? "");
  }

  #grow(exchange: Exchange): void {
    const source = this.#sourceOf(exchange);
    if (source === undefined) return;
    const { session, argument } = exchange;
    const { path, seed } = source;
    const size = source.size + 1 + this.#random.below(9000);
    const modified = new Date(source.modified.getTime() + 1000);
    this.#former.set(path, [...(this.#former.get(path) ?? []), textOf(source)]);
    this.#sources.set(path, { path, size, seed, modified });
    Object.assign(session.find(argument)!, fileEntry({ content: { size, seed }, modified }));
  }

  async #strike(choices: typeof transferFaults, first: number, exchange: Exchange): Promise<void> {
    const { stall, unconfirmed, ...others } = choices;
    const faults = this.#stalls
      ? [stall!, unconfirmed!, ...Object.values(others)]
      : Object.values(others);
    const fault = this.#random.pick(faults)({ random: this.#random, first });
    if (typeof fault === "string") return perform([fault, ...(first % 2 ? [reset] : [])], exchange);
    return perform(transfer(fault), exchange);
  }
}

function textOf({ seed, size }: Source): string {
  return generatedOctets(seed, 0, size).toString("latin1");
}

function nameOf(index: number): string {
  return index % 6 === 1 ? `2021-03-14 10:00 f${index}` : `f${index}`;
}

function habitsOf(random: Random): Habits {
  return {
    ...(random.chance(0.3) && { PWD: '257 "/" is the current directory' }),
    ...(random.chance(0.5) && { "LIST -a": random.pick(unknown) }),
    ...(random.chance(0.3) && { SIZE: "502 Not implemented" }),
  };
}

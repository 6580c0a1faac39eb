/**
 * Storms of single files: their transfers and commands are struck, they are replaced meanwhile, and the server lets
 * few in. Nothing is wrong in silence, given up though it can be had, or left behind.
 */
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { loopbackCertificate } from "../../support/certificates.ts";
import { openDocument } from "../../support/document.ts";
import { generatedOctets } from "../../support/generated.ts";
import type { ServerOptions } from "../../support/options.ts";
import { replacementOf } from "../../support/replacement.ts";
import type { RunResult } from "../../support/run.ts";
import { run } from "../../support/run-here.ts";
import type { Exchange } from "../../support/script.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { runTransfer } from "../../support/transfer.ts";
import { type DirectoryEntry, fileEntry, findEntry } from "../../support/tree.ts";
import { Random } from "./random.ts";
import { Storm } from "./storm-weather.ts";
import { type Theme, themeOf } from "./storm-themes.ts";

const longestMs = 600_000;

const modes = ["", "-c", "-f", "-N", "--no-clobber"] as const;

interface Before {
  readonly octets: Buffer;
  readonly modified?: Date;
}

/** A file that is asked for: its versions, what is here before, and the transfer in which it is replaced. */
class Wanted {
  readonly pathname: string;
  readonly name: string;
  readonly versions: Buffer[];
  readonly before: Before | undefined;
  readonly replacement: { transfer: number; after: number } | undefined;
  transfers = 0;

  constructor(pathname: string, size: number, mode: string, theme: Theme, random: Random) {
    this.pathname = pathname;
    this.name = basename(pathname);
    this.versions = [generatedOctets(1 + random.below(5), 0, size)];
    const isReplaced = theme.isReplaced === true && size >= 2 ** 20;
    const transfer = 1 + (theme.segments === 1 ? theme.weather.faults : random.below(theme.segments)); // prettier-ignore
    const after = random.chance(0.3) ? 0 : random.below(size / (2 * theme.segments));
    this.replacement = isReplaced ? { transfer, after } : undefined;
    this.before = isReplaced ? undefined : this.#beforeOf(mode, random);
  }

  get modified(): Date {
    return new Date(Date.UTC(2020, 1, 29, 12, this.versions.length - 1));
  }

  #beforeOf(mode: string, random: Random): Before | undefined {
    const [whole] = this.versions as [Buffer];
    const old = { octets: Buffer.from("the old"), modified: new Date("2001-02-03T04:05:06Z") };
    if (random.chance(0.6)) return undefined;
    if (mode === "-c") return { octets: whole.subarray(0, random.below(whole.length + 1)) };
    if (mode !== "-N" || random.chance(0.5)) return old;
    return { octets: whole, modified: this.modified };
  }

  /** Puts another version in the tree; transfers that have begun go on with the one before. */
  replace(root: DirectoryEntry): void {
    if (this.versions.length > 1) return;
    this.versions.push(replacementOf(this.versions[0]!));
    const content = this.versions[1]!;
    const above = findEntry(root, this.pathname.slice(0, -this.name.length));
    if (above?.kind === "directory")
      above.entries.set(this.name, fileEntry({ content, modified: this.modified }));
  }

  /** Sends the file; behind `after` octets there is another version. */
  async sendReplaced(exchange: Exchange, after: number): Promise<void> {
    const { root } = exchange.session.context;
    const act = (): void => this.replace(root);
    if (after === 0) act();
    const document = openDocument(exchange);
    if ("refusal" in document) return exchange.session.reply(document.refusal);
    await runTransfer(exchange, then(document.octets, after, act));
    act(); // the client may have left before
  }
}

/** The pieces as they are; `act` is called when more than so many octets are asked for. */
function* then(pieces: Iterable<Buffer>, octets: number, act: () => void): Generator<Buffer> {
  let left = octets;
  for (const piece of pieces) {
    if (left <= 0) act();
    yield piece;
    left -= piece.length;
  }
}

/** Resolves with what was wrong with a run. */
export async function stormOfDocuments(seed: number, deaf: number): Promise<string | undefined> {
  const random = new Random(seed);
  const theme = themeOf(seed, random);
  const mode = random.pick(modes);
  const all = theme.sizes.map((size, index) => {
    const directory = random.pick(["", "pub/", "pub/deep/"]);
    return new Wanted(`${directory}d${index}`, size, mode, theme, random);
  });
  const scheme = random.pick(["ftp", "ftp", "ftp", "ftpes", "ftps"]);
  const server = await ScriptedServer.start(serverOptions(random, scheme, all));
  const storm = new Storm(server, { ...theme.weather, deaf }, random);
  server.on("RETR", (exchange) => {
    const wanted = all.find(({ name }) => name === basename(exchange.argument));
    const left = (wanted?.versions[0]?.length ?? 0) - exchange.session.offset;
    if (wanted === undefined || left < 0 || exchange.session.type !== "I")
      return exchange.proceed();
    const { transfer, after = 0 } = wanted.replacement ?? {};
    if (++wanted.transfers === transfer) return wanted.sendReplaced(exchange, after);
    return storm.retrieve(exchange, left, theme.weather.tellsFacts);
  });
  const urls = all.map(({ pathname }) => server.url(`/${pathname}`, { scheme }));
  const cwd = await temporaryDirectory();
  for (const { name, before } of all) {
    if (before === undefined) continue;
    writeFileSync(join(cwd, name), before.octets);
    if (before.modified) utimesSync(join(cwd, name), before.modified, before.modified);
  }
  const story: string[] = [];
  const start = async (args: readonly string[], arrives: boolean): Promise<void> => {
    story.push(`ftpull ${args.join(" ")}`);
    const result = await run([...args, ...urls], { cwd, timeoutMs: longestMs });
    story.push(result.stderr, readdirSync(cwd).join(" "), `status ${result.status}`);
    // A server that sends nothing from where -c goes on is a failure, not a try.
    check(result, arrives && !result.stderr.includes("can't be continued"), all, mode, urls);
  };
  const trust = scheme === "ftp" ? [] : ["--no-check-certificate"];
  const modeWords = mode === "" ? [] : [mode];
  const common = ["--progress", "none", ...trust, ...optionsOf(theme, random)];
  const limits = ["-t", `${theme.tries}`, "-T", `${theme.timeout ?? 20}`];
  try {
    await start([...common, ...limits, ...modeWords], theme.arrives);
    const canGoOn = mode !== "" || all.every(({ before }) => before === undefined);
    if (theme.arrives || !canGoOn) return undefined;
    storm.isCalm = true;
    await start([...common, ...(mode === "" ? ["-c"] : modeWords)], true);
    return undefined;
  } catch (error) {
    return [...story, String(error), server.transcript()].join("\n");
  } finally {
    await server.close().catch(() => undefined); // that a client left is no mistake of a script
  }
}

function optionsOf({ jobs, segments }: Theme, random: Random): string[] {
  const more = random.pick([[], [], [], ["--no-pipelining"], ["--no-host"], ["--active"]]);
  return ["-j", `${jobs}`, "-s", `${segments}`, ...more, ...random.pick([["-q"], ["-v"], []])];
}

function serverOptions(random: Random, scheme: string, all: readonly Wanted[]): ServerOptions {
  const files = all.map(({ pathname, versions, modified }) => {
    return [pathname, { content: versions[0]!, modified }] as const;
  });
  const tls = { ...loopbackCertificate, implicit: scheme === "ftps" };
  return {
    files: Object.fromEntries(files),
    ...(scheme === "ftp" ? {} : { tls: { ...tls, requireReuse: random.chance(0.3) } }),
  };
}

function check(
  { status, signal, stderr, cwd }: RunResult,
  arrives: boolean,
  all: readonly Wanted[],
  mode: string,
  urls: readonly string[],
): void {
  expect(signal).toBe(null);
  expect(arrives ? [0] : [0, 4, 6, 7, 8, 9]).toContain(status);
  expect(stderr).not.toMatch(/^ +at |\bWarning\b|\w+Error\b|\(node:|undefined|NaN|(?!\n)\p{Cc}/mu);
  const known = new Set<string>();
  for (const [index, each] of all.entries()) {
    const target = each.before !== undefined && mode === "" ? `${each.name}.1` : each.name;
    for (const name of [each.name, target]) known.add(name);
    if (status !== 0) for (const suffix of [".ftpull", ".ftpull.json"]) known.add(target + suffix);
    const isThere = isWhole(each, target, mode, cwd);
    if (status === 0) expect(isThere, `${each.name} is there`).toBe(true);
    else if (!isThere) expect(stderr).toContain(`ftpull: ${urls[index]}: `);
  }
  expect(
    readdirSync(cwd).filter((name) => !known.has(name)),
    "other names",
  ).toEqual([]);
}

/** False if the file isn't there, or the old one still is. @throws if it is neither a version nor the old one */
function isWhole({ name, before, versions }: Wanted, target: string, mode: string, cwd: string) {
  const octetsOf = (one: string): Buffer | undefined =>
    existsSync(join(cwd, one)) ? readFileSync(join(cwd, one)) : undefined;
  if (target !== name) expect(octetsOf(name)?.equals(before!.octets), "the old").toBe(true);
  const found = octetsOf(target);
  if (found === undefined) return false;
  if (versions.some((version) => version.equals(found))) return true;
  const isOld = target === name && (before?.octets.equals(found) ?? false);
  expect(isOld, `${target}: ${found.length} octets of ${versions[0]!.length}`).toBe(true);
  return mode === "--no-clobber";
}

/**
 * Measures the program against others, in ratios of one run on one machine, and says whether
 * each is what it should be. What the machine lacks is named, and its rows are left out.
 *
 *     npm run bench -- [--only TEXT] [--rounds N] [FILE.json]
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { prepareServers, realServer, type ServerKind } from "../real/support/servers.ts";
import { loopbackCertificate } from "../support/certificates.ts";
import { compile, openLink } from "./link.ts";
import { isInstalled, machine, peers } from "./machine.ts";
import { type Figures, medians } from "./runs.ts";
import * as scenes from "./scenes.ts";
import * as trees from "./tree-scenes.ts";
import * as verified from "./verify-scenes.ts";

interface Result extends Pick<scenes.Row, "what" | "unit" | "reach"> {
  readonly figure: number | undefined;
  readonly verdict: string;
}

/** Pure-FTPd confirms a transfer at once, vsftpd when it knows that the end has arrived. */
const distances = [
  { roundTripMs: 100, kind: "vsftpd", scenesAt: scenes.distant },
  { roundTripMs: 50, kind: "vsftpd", scenesAt: scenes.distantMany },
  { roundTripMs: 50, kind: "pure-ftpd", scenesAt: scenes.distantMany },
  { roundTripMs: 50, kind: "vsftpd", scenesAt: trees.distant },
  { roundTripMs: 50, kind: "pure-ftpd", scenesAt: trees.distant },
] as const;

/** vsftpd's logs cost it time. */
const quiet = ["log_ftp_protocol=NO", "xferlog_enable=NO"];

const { values, positionals } = parseArgs({
  options: { only: { type: "string", default: "" }, rounds: { type: "string", default: "5" } },
  allowPositionals: true,
});
const memory = "/dev/shm";
const directory = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "ftpull-bench-"));
const root = join(directory, "root");
const results: Result[] = [];
try {
  chmodSync(directory, 0o755);
  mkdirSync(root);
  const ready = await prepareServers();
  if (ready.size > 0) {
    scenes.makeFiles(root);
    trees.makeTrees(root);
    verified.makeLists(root);
  }
  if (ready.has("vsftpd")) {
    await nearby();
    await secured();
  }
  if (isInstalled("cc") && isInstalled("nsenter") && ready.size > 0) await faraway(ready);
} finally {
  rmSync(directory, { recursive: true });
}
const report = { date: new Date().toISOString(), machine: machine(), peers: peers(), results };
writeFileSync(positionals[0] ?? "dist/bench.json", `${JSON.stringify(report, undefined, 2)}\n`);

async function nearby(): Promise<void> {
  const server = await realServer("vsftpd", { root, config: quiet });
  const url = `ftp://127.0.0.1:${server.port}`;
  const reader = isInstalled("cc") ? compile("reader", directory) : undefined;
  await play(
    scenes.startup(url),
    scenes.large(server.port, reader),
    scenes.many(url, directory),
    scenes.listing(url),
    ...trees.nearby(url),
    ...verified.nearby(url, root),
  );
  await server.close();
}

async function secured(): Promise<void> {
  const [cert, key] = [join(directory, "cert.pem"), join(directory, "key.pem")];
  writeFileSync(cert, loopbackCertificate.cert);
  writeFileSync(key, loopbackCertificate.key);
  const server = await realServer("vsftpd", { root, config: quiet, tls: { cert, key } });
  await play(scenes.secured(server.port, cert));
  await server.close();
}

async function faraway(ready: ReadonlySet<ServerKind>): Promise<void> {
  for (const { roundTripMs, kind, scenesAt } of distances.filter((one) => ready.has(one.kind))) {
    const link = await openLink(roundTripMs, directory);
    const config = kind === "vsftpd" ? quiet : [];
    const far = await realServer(kind, { root, config, namespace: link.far });
    await play(scenesAt(link.near, `ftp://${link.farAddress}:${far.port}`, directory, kind));
    await far.close();
    link.close();
  }
}

async function play(...all: readonly scenes.Scene[]): Promise<void> {
  for (const scene of all.filter((one) => one.title.includes(values.only))) {
    const { title, programs, rows } = scene;
    const present = Object.entries(programs).filter(([, program]) => program.every(canRun));
    const figures = await medians(new Map(present), Number(values.rounds), directory, scene);
    process.stdout.write(`${title}\n`);
    for (const [name, { wallMs, cpuMs, memoryMB }] of figures) {
      const parts = [`${Math.round(wallMs)} ms`, `CPU ${cpuMs} ms`, `${Math.round(memoryMB)} MB`];
      process.stdout.write(`    ${name}: ${parts.join(", ")}\n`);
    }
    for (const row of rows) conclude(row, figures);
  }
}

/** The first word of a command line has to be there; what follows is up to it. */
function canRun(word: string, index: number): boolean {
  return index > 0 || existsSync(word) || isInstalled(word);
}

function conclude(row: scenes.Row, figures: ReadonlyMap<string, Figures>): void {
  const { what, unit, reach } = row;
  const missing = new Set<string>();
  const figure = row.figure((name) => {
    const found = figures.get(name);
    if (found === undefined) missing.add(name);
    return found ?? { wallMs: NaN, cpuMs: NaN, memoryMB: NaN };
  });
  const result: Result =
    missing.size > 0
      ? { what, unit, reach, figure: undefined, verdict: `skipped: no ${[...missing].join(", ")}` }
      : { what, unit, reach, figure, verdict: figure <= reach ? "reached" : "MISSED" };
  results.push(result);
  print(result);
}

function print({ what, unit, reach, figure, verdict }: Result): void {
  const text = (number: number): string => number.toFixed(unit === "MB" ? 0 : 2).padStart(6);
  const value = figure === undefined ? "     -" : text(figure);
  process.stdout.write(`${what.padEnd(64)}${value}${text(reach)} ${unit.padEnd(6)}${verdict}\n`);
}

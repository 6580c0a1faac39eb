/**
 * Measures the program against others, in ratios of one run on one machine, and says whether
 * each is what it should be. What isn't installed here is named and left out.
 *
 *     npm run bench -- [--only TEXT] [--rounds N] [FILE.json]
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, chmodSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { realServer } from "../real/support/servers.ts";
import { transfer } from "../support/actions.ts";
import { ScriptedServer } from "../support/scripted-server.ts";
import { compile, openLink } from "./link.ts";
import { medians, type Figures, type Program } from "./runs.ts";
import * as scenes from "./scenes.ts";

interface Result {
  readonly what: string;
  readonly unit: "ratio" | "MB";
  readonly reach: number;
  readonly figure: number | undefined;
  readonly verdict: string;
}

const { values, positionals } = parseArgs({
  options: { only: { type: "string", default: "" }, rounds: { type: "string", default: "5" } },
  allowPositionals: true,
});
const directory = mkdtempSync(
  join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "ftpull-bench-"),
);
const results: Result[] = [];
try {
  await bench();
} finally {
  rmSync(directory, { recursive: true });
}
const report = { date: new Date().toISOString(), machine: machine(), peers: peers(), results };
writeFileSync(positionals[0] ?? "dist/bench.json", `${JSON.stringify(report, undefined, 2)}\n`);

async function bench(): Promise<void> {
  const root = join(directory, "root");
  scenes.makeFiles(root);
  chmodSync(directory, 0o755);
  const config = ["log_ftp_protocol=NO", "xferlog_enable=NO", "ascii_download_enable=NO"];
  const server = await realServer("vsftpd", { root, config });
  const url = `ftp://127.0.0.1:${server.port}`;
  const reader = isInstalled("cc") ? compile("reader", directory) : undefined;
  await play(scenes.startup(url));
  await play(scenes.large(server.port, reader));
  await play(scenes.many(url, directory));
  await server.close();
  await playListing();
  for (const [ms, scenesOf] of [
    [100, scenes.distant],
    [50, scenes.distantMany],
  ] as const) {
    const link = await openLink(ms, directory);
    const far = await realServer("vsftpd", {
      root,
      config: [...config, "listen_address=0.0.0.0"],
      namespace: link.far,
    });
    await play(scenesOf(link.near, `ftp://${link.farAddress}:${far.port}`, directory));
    await far.close();
    link.close();
  }
}

async function playListing(): Promise<void> {
  const lines = (line: (index: number) => string): Buffer =>
    Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => line(index)).join(""));
  const facts = "type=file;size=4096;modify=20260301123000;UNIX.mode=0644;UNIX.owner=1000;";
  const on = {
    NLST: transfer({ content: lines((index) => `file-${index}\r\n`) }),
    MLSD: transfer({ content: lines((index) => `${facts} file-${index}\r\n`) }),
  };
  await using server = await ScriptedServer.start({ on });
  await play(scenes.listing(`ftp://127.0.0.1:${server.port}`));
}

async function play(all: readonly scenes.Scene[]): Promise<void> {
  for (const scene of all.filter(({ title }) => title.includes(values.only))) {
    const there = Object.entries(scene.programs).filter(([, program]) => canRun(program));
    const figures = await medians(new Map(there), Number(values.rounds), directory);
    for (const [name, { wallMs, cpuMs, memoryMB }] of figures)
      process.stdout.write(
        `  ${scene.title}: ${name}: ${wallMs.toFixed(0)} ms, CPU ${cpuMs} ms, ${memoryMB.toFixed(0)} MB\n`,
      );
    for (const row of scene.rows) results.push(judge(row, figures));
    for (const result of results.slice(-scene.rows.length)) print(result);
  }
}

function judge(
  { what, unit, reach, figure }: scenes.Row,
  figures: ReadonlyMap<string, Figures>,
): Result {
  const missing = new Set<string>();
  const value = figure((name) => {
    const found = figures.get(name);
    if (found === undefined) missing.add(name);
    return found ?? { wallMs: NaN, cpuMs: NaN, memoryMB: NaN };
  });
  if (missing.size > 0)
    return { what, unit, reach, figure: undefined, verdict: `skipped: no ${[...missing].join()}` };
  return { what, unit, reach, figure: value, verdict: value <= reach ? "pass" : "FAIL" };
}

function print({ what, unit, reach, figure, verdict }: Result): void {
  const digits = unit === "MB" ? 0 : 2;
  const value = figure?.toFixed(digits) ?? "-";
  process.stdout.write(
    `${what.padEnd(68)} ${value.padStart(6)} ${reach.toFixed(digits).padStart(6)} ${unit.padEnd(5)}  ${verdict}\n`,
  );
}

function canRun(program: Program): boolean {
  const [file] = program;
  return existsSync(file) || isInstalled(file);
}

function isInstalled(name: string): boolean {
  const folders = process.env["PATH"]?.split(delimiter) ?? [];
  return folders.some((folder) => existsSync(join(folder, name)));
}

function machine(): string {
  return `${cpus().length} x ${cpus()[0]?.model}, ${process.platform} ${release()}, Node ${process.version}`;
}

function peers(): Record<string, string> {
  const installed = ["curl", "wget", "lftp"].filter(isInstalled);
  return Object.fromEntries(installed.map((name) => [name, versionOf(name)]));
}

function versionOf(name: string): string {
  const text = execFileSync(name, ["--version"], { encoding: "utf8" });
  return /\d+(?:\.\d+)+/.exec(text)?.[0] ?? "unknown";
}

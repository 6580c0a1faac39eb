/**
 * Measures the program against others, in ratios of one run on one machine, and prints README's table.
 * Rows of programs that the machine lacks are left out.
 *
 *     npm run bench -- [--only TEXT] [--rounds N]
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { prepareServers, realServer, type ServerKind } from "../real/support/servers.ts";
import { loopbackCertificate } from "../support/certificates.ts";
import { compile, openLink } from "./link.ts";
import { type Figures, medians, type Program } from "./runs.ts";
import { distant, makeFiles, nearby, type Scene, secured } from "./scenes.ts";

/** vsftpd's logs cost it time. */
const quiet = ["log_ftp_protocol=NO", "xferlog_enable=NO"];

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, rounds: { type: "string", default: "5" } },
});
const memory = "/dev/shm";
const directory = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "ftpull-bench-"));
const root = join(directory, "root");
const near = { near: [], kind: "vsftpd", directory, root };
const lines: string[] = [];
try {
  chmodSync(directory, 0o755);
  mkdirSync(root);
  const ready = await prepareServers();
  makeFiles(root);
  if (ready.has("vsftpd")) await loopback();
  // Pure-FTPd confirms a transfer at once, vsftpd when it knows that the end has arrived.
  if (isInstalled("cc") && isInstalled("nsenter"))
    for (const kind of (["vsftpd", "pure-ftpd"] as const).filter((one) => ready.has(one)))
      await faraway(kind, 50);
} finally {
  rmSync(directory, { recursive: true });
}
const machine = `${cpus().length} x ${cpus()[0]?.model}, ${process.platform} ${release()}`;
const table = ["| what | figure | aim |", "| --- | --- | --- |", ...lines];
process.stdout.write(`\n${machine}, Node ${process.version}\n\n${table.join("\n")}\n`);

async function loopback(): Promise<void> {
  const clear = await realServer("vsftpd", { root, config: quiet });
  const reader = isInstalled("cc") ? compile("reader", directory) : undefined;
  await play(nearby({ ...near, url: `ftp://127.0.0.1:${clear.port}` }, reader));
  await clear.close();
  const [cert, key] = [join(directory, "cert.pem"), join(directory, "key.pem")];
  writeFileSync(cert, loopbackCertificate.cert);
  writeFileSync(key, loopbackCertificate.key);
  const server = await realServer("vsftpd", { root, config: quiet, tls: { cert, key } });
  await play(secured({ ...near, url: `ftp://127.0.0.1:${server.port}` }, cert));
  await server.close();
}

async function faraway(kind: ServerKind, roundTripMs: number): Promise<void> {
  const link = await openLink(roundTripMs, directory);
  const config = kind === "vsftpd" ? quiet : [];
  const far = await realServer(kind, { root, config, namespace: link.far });
  const place = { ...near, near: link.near, kind, url: `ftp://${link.farAddress}:${far.port}` };
  await play(distant(place, roundTripMs));
  await far.close();
  link.close();
}

async function play(scenes: readonly Scene[]): Promise<void> {
  for (const scene of scenes.filter(({ title }) => title.includes(values.only))) {
    const present = Object.entries(scene.programs).filter(([, words]) => canRun(words));
    const figures = await medians(new Map(present), Number(values.rounds), directory, scene);
    process.stdout.write(`${scene.title}\n`);
    for (const [name, { wall, cpu, memory: most }] of figures)
      process.stdout.write(`    ${name}: ${Math.round(wall)} ms, CPU ${cpu} ms, ${most} MB\n`);
    for (const [what, figure, aim] of scene.rows) {
      const found = reckon(figure, figures);
      if (found !== undefined) lines.push(`| ${what} | ${found} | ${aim} |`);
    }
  }
}

/** A figure of a row; undefined where one of its programs is missing. */
function reckon(figure: string, figures: ReadonlyMap<string, Figures>): string | undefined {
  const [, kind = "", ours = "", less, other] =
    /^(wall|cpu|memory) (.+?)(?: - (.+?))?(?: \/ (.+))?$/.exec(figure) ?? [];
  const of = (name: string) => figures.get(name)?.[kind as keyof Figures] ?? NaN;
  const found = (of(ours) - (less ? of(less) : 0)) / (other ? of(other) : 1);
  if (Number.isNaN(found)) return undefined;
  return other === undefined ? `${Math.round(found)} MB` : found.toFixed(2);
}

/** Behind nsenter and its option stands the program itself. */
function canRun(words: Program): boolean {
  return isInstalled(words[0] === "nsenter" ? words[2]! : words[0]);
}

function isInstalled(name: string): boolean {
  const folders = process.env["PATH"]?.split(delimiter) ?? [];
  return existsSync(name) || folders.some((folder) => existsSync(join(folder, name)));
}

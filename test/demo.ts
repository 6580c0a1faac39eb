/**
 * A walk through the program: serves a few files on loopback and runs the real `ftpull`
 * against them, in the words that a person would type. Fails when a status isn't the expected one.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { transfer } from "./support/actions.ts";
import { ScriptedServer } from "./support/scripted-server.ts";

interface Step {
  about: string;
  args: string[];
  status: number;
}

/** A tree of a dozen files in three directories. */
const photos = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [
    `pub/photos/${2023 + (index % 3)}/IMG ${1000 + index}.jpg`,
    { size: 100_000 + 1000 * index, seed: index },
  ]),
);

const launcher = resolve("bin/ftpull.js");

await main();

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "ftpull-demo-"));
  const server = await startServer();
  try {
    for (const step of stepsFor(server)) await perform(step, directory);
  } finally {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function startServer(): Promise<ScriptedServer> {
  const megabyte = 1024 * 1024;
  const files = {
    "pub/README": "Welcome to the demo.\n",
    "pub/disk.img": { size: 12 * megabyte, seed: 1 },
    "pub/motd": "All is well.\n",
    ...photos,
  };
  const slowly = transfer({ rate: 4 * megabyte });
  return ScriptedServer.start({ files, directories: ["pub/old"], on: { "RETR disk.img": slowly } });
}

function stepsFor(server: ScriptedServer): Step[] {
  const pub = server.url("/pub");
  return [
    { about: "A file, with a progress bar", args: [`${pub}/disk.img`], status: 0 },
    { about: "A text to standard output", args: ["-q", "-O", "-", `${pub}/motd`], status: 0 },
    { about: "A directory", args: ["--format", "table", `${pub}/`], status: 0 },
    { about: "A whole directory", args: ["-r", "-j", "2", "-nv", `${pub}/photos/`], status: 0 },
    { about: "Again: nothing has changed", args: ["-r", `${pub}/photos/`], status: 0 },
    { about: "What a URL stands for", args: ["--explain", `${pub}/motd;type=a`], status: 0 },
    { about: "A file that isn't there", args: [`${pub}/missing.txt`], status: 8 },
  ];
}

/** Runs one step on the terminal that the demo itself was started on. */
async function perform({ about, args, status }: Step, cwd: string): Promise<void> {
  process.stdout.write(`\n# ${about}\n$ ftpull ${args.map(quoted).join(" ")}\n`);
  const env = { ...process.env, HOME: cwd, ftp_proxy: "", all_proxy: "" };
  const child = spawn(process.execPath, [launcher, ...args], { cwd, env, stdio: "inherit" });
  const [actual] = (await once(child, "close")) as [number | null];
  if (actual === status) return;
  process.exitCode = 1;
  process.stderr.write(`demo: exit status ${actual}, expected ${status}\n`);
}

/** An argument as a shell takes it. */
function quoted(argument: string): string {
  return /[^\w./:-]/.test(argument) ? `'${argument}'` : argument;
}

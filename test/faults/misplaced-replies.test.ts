/**
 * Chains of documents against a server whose replies come where they don't belong: each document is
 * its own, or it isn't there.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { loopbackCertificate } from "../support/certificates.ts";
import { campaign } from "../support/campaign.ts";
import { run } from "../support/run-here.ts";
import { ScriptedServer } from "../support/scripted-server.ts";
import { MisplacedReplies, misplacements } from "./support/misplaced-replies.ts";
import { Random } from "./support/random.ts";

const modified = new Date("2026-03-01T12:30:00Z");
const paths = ["a/f", "b/f", "a/b/f", "b/a/f", "a/g", "f"];
const textOf = (path: string): string => path.padEnd(8, ".");
const files = Object.fromEntries(paths.map((path) => [path, { content: textOf(path), modified }]));

const chains: readonly (readonly string[])[] = [
  ["a/f", "no/f", "b/f", "a/b/f", "b/no/f", "f"],
  ["a/b/f", "b/a/f", "a/g", "a/f"],
  ["a/b/f", "no/f", "a/no/f"],
];

const ways: readonly (readonly string[])[] = [[], ["--active"], ["-N"], ["-j", "2"]];

interface Case {
  readonly chain: readonly string[];
  readonly words: readonly string[];
  readonly isSecured: boolean;
}

const cases: readonly Case[] = chains.flatMap((chain) =>
  ways.flatMap((words) => [false, true].map((isSecured) => ({ chain, words, isSecured }))),
);

/** Runs one chain; Resolves with what is wrong, if anything is. */
async function follow(
  { chain, words, isSecured }: Case,
  prepare: (server: ScriptedServer) => void,
): Promise<string | undefined> {
  const tls = isSecured ? { tls: loopbackCertificate } : {};
  const server = await ScriptedServer.start({ files, ...tls });
  prepare(server);
  const scheme = isSecured ? "ftpes" : "ftp";
  const urls = chain.map((path) => server.url(`/${path}`, { scheme }));
  const secured = isSecured ? ["--no-check-certificate"] : [];
  const args = ["-q", "-x", "-nH", "-T", "1", "-t", "3", ...secured, ...words, ...urls];
  const { status, stderr, cwd } = await run(args);
  const wrong = chain.filter((path) => isWrong(join(cwd, path), path, status));
  const isClear =
    /^((ftpull: |hint: ).*\n)*$/.test(stderr) && !/(?!\n)\p{Cc}|\w+Error\b/u.test(stderr);
  if (!isClear) wrong.push("messages");
  await server.close().catch(() => undefined); // that a client left is no mistake of a script
  if (wrong.length === 0) return undefined;
  return `${args.join(" ")}\nwrong: ${wrong.join(" ")}, status ${status}\n${stderr}\n${server.transcript()}`;
}

function isWrong(file: string, path: string, status: number | null): boolean {
  if (existsSync(file)) return readFileSync(file, "utf8") !== textOf(path);
  return status === 0;
}

const timeout = 7_200_000;

const misplaced = {
  title: "one reply at any place spoilt, before it a stray one, doubled, lost or late",
  sample: 30,
  full: 20_000,
  width: 1, // waiting takes no time
  budgetMs: 80_000,
};

/** More replies than most chains have: nothing goes wrong behind the last one. */
const mostReplies = 80;

test(misplaced.title, { timeout }, () =>
  campaign(misplaced, async (seed) => {
    const random = new Random(seed);
    const [position, how] = [random.below(mostReplies), random.pick(misplacements)];
    const prepare = (server: ScriptedServer): unknown =>
      new MisplacedReplies(server, position, how, seed);
    const wrong = await follow(random.pick(cases), prepare);
    return wrong && `reply ${position}, ${JSON.stringify(how)}\n${wrong}`;
  }),
);

const password = {
  title: "a wrong password goes out once, or twice where a reply to it, or before it, is misplaced",
  sample: 30,
  full: 2000,
  width: 1, // waiting takes no time
  budgetMs: 60_000,
};

test(password.title, { timeout }, () =>
  campaign(password, async (seed) => {
    const random = new Random(seed);
    const dropped = random.pick([
      {},
      { dropPipelined: "rest" },
      { dropPipelined: "close" },
    ] as const);
    const users = { jane: { password: "right" } };
    const server = await ScriptedServer.start({ files, users, ...dropped });
    const position = random.pick([-1, -1, 0, 1, 2, 3, 4]);
    const how = random.pick(misplacements);
    const misplacing = new MisplacedReplies(server, position, how, seed);
    const login = { user: "jane", password: "wrong" };
    const words = random.pick([[], ["--no-host"], ["--no-pipelining"], ["-j", "2"]]);
    const urls = ["a/f", "b/f"].map((path) => server.url(`/${path}`, login));
    const limits = ["-T", "1", "-t", random.pick(["1", "3", "6"])];
    const { status, stderr } = await run(["-v", ...limits, ...words, ...urls]);
    await server.close().catch(() => undefined);
    const count = server.sent("PASS").length;
    const most = position === -1 || misplacing.count <= position ? 1 : 2;
    const isRight = status !== 0 && count <= most && (position >= 0 || count === 1);
    if (isRight) return undefined;
    return `${position} ${JSON.stringify(how)} ${words.join(" ")}: ${count} times\n${stderr}\n${server.transcript()}`;
  }),
);

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campaign } from "../support/campaign.ts";
import { generatedOctets } from "../support/generated.ts";
import { type RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { FuzzingServer, size } from "./support/fuzzing-server.ts";
import { Random } from "./support/random.ts";

const mistakes = {
  title: "a server that makes mistakes leaves no wrong document and no wrong message",
  sample: 45,
  full: 600,
  width: 1, // waiting takes no time
  budgetMs: 80_000,
};

test(mistakes.title, { timeout: 7_200_000 }, () => campaign(mistakes, fuzz));

const whole = generatedOctets(7, 0, size);
const old = Buffer.from("old");
const half = whole.subarray(0, size / 2);

interface Scenario {
  readonly args: readonly string[];
  readonly before?: Buffer;
  readonly document?: { readonly name: "x" | "-"; readonly octets: Buffer };
}

const x = { name: "x", octets: whole } as const;

const scenarios = (url: (path: string) => string): Scenario[] => [
  { args: [url("/d/x")], document: x },
  { args: ["-f", url("/d/x")], before: old, document: x },
  { args: ["-c", url("/d/x")], before: half, document: x },
  { args: ["-O", "-", url("/d/x")], document: { name: "-", octets: whole } },
  { args: [url("/d/x;type=a")], document: x },
  { args: [url("/d/")] },
  { args: [url("/d/e")] },
  { args: ["--format", "json", url("/d/;type=d")] },
  { args: ["--format", "raw", url("/d/")] },
  { args: [url("/d/x"), url("/d/e/"), url("/d/%C3%BC")], document: x },
];

/** Resolves with what was wrong with a run. */
async function fuzz(seed: number): Promise<string | undefined> {
  const random = new Random(seed);
  const fuzzing = await FuzzingServer.start(random);
  const { server } = fuzzing;
  const scenario = random.pick(scenarios((path) => server.url(path)));
  const options = random.pick([["-q"], ["-v"], ["--no-pipelining"], ["--no-host"]]);
  const limits = ["--progress", "none", "-T", "30", "-t", random.pick(["1", "1", "2"])];
  const args = [...options, ...limits, ...scenario.args];
  const cwd = await temporaryDirectory();
  if (scenario.before !== undefined) writeFileSync(join(cwd, "x"), scenario.before);
  try {
    const result = await run(args, { cwd });
    checkMessages(result);
    if (!fuzzing.hasLied) checkDocument(result, scenario);
    if (existsSync(join(cwd, "x.ftpull"))) await checkRest(fuzzing, scenario, cwd);
    return undefined;
  } catch (error) {
    return `ftpull ${args.join(" ")}\n${String(error)}\n${server.transcript()}`;
  } finally {
    await server.close().catch(() => undefined); // that a client left is no mistake of a script
  }
}

const names = ["x", "ü"].flatMap((name) => [name, `${name}.ftpull`, `${name}.ftpull.json`]);

function checkMessages({ status, signal, stderr, cwd }: RunResult): void {
  expect(signal).toBe(null);
  expect(status).toBeOneOf([0, 1, 3, 4, 6, 7, 8, 9]);
  expect(stderr).toMatch(/^((ftpull: |hint: |[<>] ).*\n)*$/);
  expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(stderr).not.toMatch(/\w+Error\b/);
  if (status !== 0) expect(stderr).toMatch(/^ftpull: /m);
  expect([...names, "e"]).toEqual(expect.arrayContaining(readdirSync(cwd)));
}

/** Exit 0 stands for the whole document, and no name ever holds another. */
function checkDocument({ status, stdoutBytes, cwd }: RunResult, scenario: Scenario): void {
  const { before, document } = scenario;
  if (document === undefined) return;
  const path = join(cwd, "x");
  const found =
    document.name === "-" ? stdoutBytes : existsSync(path) ? readFileSync(path) : undefined;
  if (status === 0) expect(found?.equals(document.octets), "whole").toBe(true);
  if (document.name === "-") return;
  const isMissing = found === undefined && before !== old;
  const allowed = [before, document.octets].some((octets) => found && octets?.equals(found));
  expect(isMissing || allowed, "old or new").toBe(true);
}

async function checkRest(fuzzing: FuzzingServer, { args, document }: Scenario, cwd: string) {
  fuzzing.isGood = true;
  const url = args.find((arg) => /\/x(;|$)/.test(arg)) ?? "";
  const result = await run(["-q", ...args.filter((arg) => /^-[cf]$/.test(arg)), url], { cwd });
  expect(result).toMatchObject({ status: 0, stderr: "" });
  expect(readFileSync(join(cwd, "x")).equals(document?.octets ?? old), "completed").toBe(true);
}

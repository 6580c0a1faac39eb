import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loopbackCertificate } from "../support/certificates.ts";
import { campaign } from "../support/campaign.ts";
import { deafPort } from "../support/deaf-port.ts";
import { run, type RunResult } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { Random } from "./support/random.ts";
import { type Scenario, scenarioOf, type Wanted } from "./support/storm-scenario.ts";
import { StormServer } from "./support/storm-server.ts";

/** Limit that tells a slow machine from a program that hangs. */
const longestMs = 600_000;

const storms = {
  title: "storms: nothing is wrong in silence, given up though it can be had, or left behind",
  sample: 21, // each theme three times
  full: 1000,
  width: 10,
  budgetMs: 120_000,
};

test(storms.title, { timeout: 7_200_000 }, async () => {
  const deaf = await deafPort();
  const certificate = join(await temporaryDirectory(), "ca.pem");
  writeFileSync(certificate, loopbackCertificate.cert);
  await campaign(storms, (seed) => storm(seed, deaf, certificate));
});

/** Resolves with what was wrong with a run. */
async function storm(seed: number, deaf: number, certificate: string): Promise<string | undefined> {
  const scenario = scenarioOf(seed, new Random(seed));
  const storming = await StormServer.start(scenario, seed, deaf);
  const { server } = storming;
  const urls = scenario.wanted.map(({ document: { pathname } }) =>
    server.url(`/${pathname}`, { scheme: scenario.scheme }),
  );
  const trust = scenario.scheme === "ftp" ? [] : ["--ca-certificate", certificate];
  const mode = scenario.mode === "" ? [] : [scenario.mode];
  const options = ["--progress", "none", ...scenario.options, ...trust];
  const cwd = directoryOf(await temporaryDirectory(), scenario);
  const said: string[] = [];
  const start = async (args: readonly string[]): Promise<RunResult> => {
    said.push(`ftpull ${args.join(" ")}`);
    const result = await run(args, { cwd, timeoutMs: longestMs });
    said.push(result.stderr, readdirSync(cwd).join(" "), `status ${result.status}`);
    return result;
  };
  try {
    const isShort = (result: RunResult): boolean => result.stderr.includes("can't be continued");
    const first = await start([...options, ...scenario.limits, ...mode, ...urls]);
    // A server that sends nothing from where -c goes on is a failure, not a try.
    const arrives = scenario.arrives && !isShort(first);
    check(first, { ...scenario, arrives }, urls);
    if (arrives || !canGoOn(scenario)) return undefined;
    storming.calmDown();
    const again = await start([...options, ...(mode.length > 0 ? mode : ["-c"]), ...urls]);
    check(again, { ...scenario, arrives: true }, urls);
    return undefined;
  } catch (error) {
    const report = [...said, String(error), server.transcript()];
    return report.join("\n");
  } finally {
    await server.close().catch(() => undefined); // that a client left is no mistake of a script
  }
}

function directoryOf(cwd: string, { wanted }: Scenario): string {
  for (const { document, before } of wanted) {
    if (before === undefined) continue;
    const path = join(cwd, document.name);
    writeFileSync(path, before.octets);
    if (before.modified) utimesSync(path, before.modified, before.modified);
  }
  return cwd;
}

function canGoOn({ mode, wanted }: Scenario): boolean {
  return mode !== "" || wanted.every(({ before }) => before === undefined);
}

function check(result: RunResult, scenario: Scenario, urls: readonly string[]): void {
  const { status, signal, stderr, cwd } = result;
  const { wanted, mode } = scenario;
  expect(signal).toBe(null);
  expect(scenario.arrives ? [0] : [0, 4, 6, 7, 8, 9]).toContain(status);
  expect(stderr).not.toMatch(/^ +at |\bWarning\b|\w+Error\b|\(node:|undefined|NaN|(?!\n)\p{Cc}/mu);
  const names = readdirSync(cwd);
  expect(names.filter((name) => name.startsWith(".ftpull-"))).toEqual([]);
  for (const [index, each] of wanted.entries()) {
    const isThere = checkDocument(each, mode, cwd);
    if (status === 0) expect(isThere, `${each.document.name} is there`).toBe(true);
    else if (!isThere) expect(stderr).toContain(`ftpull: ${urls[index]}: `);
  }
  const known = wanted.flatMap((each) => namesOf(each, mode, status !== 0));
  expect(known, "names").toEqual(expect.arrayContaining(names));
}

function checkDocument({ document, before }: Wanted, mode: string, cwd: string): boolean {
  const target = before !== undefined && mode === "" ? `${document.name}.1` : document.name;
  const kept = target === document.name ? before : undefined;
  const octetsOf = (name: string): Buffer | undefined =>
    existsSync(join(cwd, name)) ? readFileSync(join(cwd, name)) : undefined;
  const found = octetsOf(target);
  if (kept !== before)
    expect(octetsOf(document.name)?.equals(before!.octets), "the old").toBe(true);
  if (found === undefined) return false;
  const isOld = kept?.octets.equals(found) ?? false;
  if (document.isVersion(found)) return true;
  expect(isOld, `${target}: ${document.describe(found)}`).toBe(true);
  return mode === "--no-clobber";
}

function namesOf(
  { document: { name }, before }: Wanted,
  mode: string,
  isBroken: boolean,
): string[] {
  const target = before !== undefined && mode === "" ? `${name}.1` : name;
  const part = isBroken ? [`${target}.ftpull`, `${target}.ftpull.json`] : [];
  return [name, target, ...part];
}

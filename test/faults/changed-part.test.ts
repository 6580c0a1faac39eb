/** A partial file that is no longer the one that was written: nothing of it gets the name. */
import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Gate, proceed, reset, transfer, until } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { runInRealTime as run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const size = 4 * 1024 * 1024;
const pausedAt = 400_000;
const files = { x: { size, seed: 3 }, y: { size: 200_000, seed: 4 } };

let cwd: string;
let part: string;
beforeEach(async () => {
  cwd = await temporaryDirectory();
  part = join(cwd, "x.ftpull/data");
});

const theirs = "another program's";
const replace = (): void => {
  fs.writeFileSync(join(cwd, "new"), theirs);
  fs.renameSync(join(cwd, "new"), part);
};

interface Harm {
  readonly harm: () => void;
  readonly words: string;
  readonly left: readonly string[];
}

const changed = "another program changed it: expected ";
const harms: [claim: string, Harm][] = [
  [
    "was removed",
    {
      harm: () => fs.rmSync(part),
      words: "it was removed or moved away: no such file or directory",
      left: [],
    },
  ],
  ["was replaced", { harm: replace, words: "another file was put in its place", left: [] }],
  ["was emptied", { harm: () => fs.truncateSync(part), words: changed, left: [] }],
  ["was cut", { harm: () => fs.truncateSync(part, pausedAt - 1), words: changed, left: [] }],
];

/** Ends the run with this harm done to the file when it had so many octets. */
async function harmed(
  server: Awaited<ReturnType<typeof startServer>>,
  args: readonly string[],
  octets: number,
  harm: () => void,
  gate: Gate,
) {
  const running = run(["-q", ...args, server.url("/x")], { cwd });
  await expect
    .poll(() => fs.existsSync(part) && fs.statSync(part).size)
    .toBeGreaterThanOrEqual(octets);
  harm();
  gate.open();
  return running;
}

function expectNothing(
  { status, stderr }: { status: number | null; stderr: string },
  url: string,
  { words, left }: Pick<Harm, "words" | "left">,
): void {
  const [first, ...others] = stderr.trimEnd().split("\n");
  expect(first).toContain(`ftpull: ${url}: cannot write "x.ftpull/data": ${words}`);
  expect(others.join("\n")).not.toContain("kept");
  expect(status).toBe(3);
  expect(fs.readdirSync(cwd)).toEqual(left);
}

describe("a partial file that is in the making", () => {
  test.each(harms)("and that %s gets no name", async (_claim, { harm, ...expected }) => {
    const gate = new Gate();
    const pause = { after: pausedAt, until: gate.opened };
    const server = await startServer({ files, on: { RETR: transfer({ pause }) } });
    expectNothing(await harmed(server, [], pausedAt, harm, gate), server.url("/x"), expected);
  });

  test.each(harms.slice(0, 2))(
    "over two connections and that %s gets none",
    async (_claim, given) => {
      const gate = new Gate();
      const pause = { after: pausedAt, until: gate.opened };
      const server = await startServer({ files, on: { RETR: transfer({ pause }) } });
      const octets = size / 2 + pausedAt - 5000;
      expectNothingOrWhole(await harmed(server, ["-s", "2"], octets, given.harm, gate));
    },
  );

  test.each(harms)("of -O with one document whole and that %s gets none", async (_claim, given) => {
    const gate = new Gate();
    const pause = { after: pausedAt, until: gate.opened };
    const server = await startServer({ files, on: { "RETR x": transfer({ pause }) } });
    const args = ["-O", "x", server.url("/y")];
    const { status, stderr } = await harmed(server, args, 200_000 + pausedAt, given.harm, gate);
    expect(stderr).toContain(given.words);
    expect(status).toBe(3);
    expect(fs.readdirSync(cwd)).toEqual(given.left);
  });
});

describe("a partial file that has all octets, but whose transfer isn't confirmed yet,", () => {
  const later: [claim: string, Harm][] = [
    ...harms,
    [
      "has become longer",
      { harm: () => fs.appendFileSync(part, "more"), words: changed, left: [] },
    ],
  ];

  test.each(later)("and that %s gets no name", async (_claim, { harm, ...expected }) => {
    const gate = new Gate();
    const completion = [until(gate.opened), "226 Transfer complete"];
    const server = await startServer({ files, on: { RETR: transfer({ completion }) } });
    expectNothing(await harmed(server, [], size, harm, gate), server.url("/x"), expected);
  });
});

test.each(harms)("one that %s between two tries isn't built on", async (_claim, { harm }) => {
  const server = await startServer({ files });
  const gate = new Gate();
  server.on("RETR#1", transfer({ first: pausedAt, completion: reset }));
  server.on("USER#2", [until(gate.opened), proceed]);
  expectNothingOrWhole(await harmed(server, ["--waitretry=0"], pausedAt, harm, gate));
});

function expectNothingOrWhole({ status, stderr }: { status: number | null; stderr: string }): void {
  expect(fs.readdirSync(cwd)).toEqual(status === 0 ? ["x"] : []);
  if (status !== 0)
    expect(stderr).toContain('cannot read "x.ftpull/data": no such file or directory\n');
  else expect(fs.readFileSync(join(cwd, "x")).equals(generatedOctets(3, 0, size))).toBe(true);
}

test("a file of that size and content put in its place isn't taken for it", async () => {
  const whole = generatedOctets(3, 0, size);
  const gate = new Gate();
  const completion = [until(gate.opened), "226 Transfer complete"];
  const server = await startServer({ files, on: { RETR: transfer({ completion }) } });
  const harm = (): void => {
    fs.rmSync(part);
    fs.writeFileSync(part, whole);
  };
  const result = await harmed(server, [], size, harm, gate);
  expect(result).toMatchObject({ status: 3 });
  expect(fs.readdirSync(cwd)).toEqual([]);
});

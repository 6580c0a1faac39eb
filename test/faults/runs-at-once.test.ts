/** Several runs of one document or tree at once: each file arrives, by whichever run, and nothing else stays. */
import { existsSync, readdirSync, renameSync, statSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ownerName, thisProcess } from "../../src/files/part/owner.ts";
import { Gate, transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { localFiles } from "../support/local-tree.ts";
import { isLong } from "../support/long.ts";
import { at, cwd, names, octetsOf, ownDirectory } from "../support/own-directory.ts";
import { run, startProgram } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";

const count = 250;
const paths = Array.from({ length: count }, (_, index) => `d/file-${index}`);
const files = Object.fromEntries(paths.map((path) => [path, `content of ${path}\n`]));

ownDirectory();

const rounds = Array.from({ length: isLong ? 20 : 1 }, (_, round) => round);

describe.each([2, 3])("%i runs of a new tree of small files", (runs) => {
  test.each(rounds)("bring it, and end with 0: round %i", async () => {
    const server = await startServer({ files });
    const args = ["-q", "-r", server.url("/d/")];
    const results = await Promise.all(Array.from({ length: runs }, () => run(args, { cwd })));
    for (const result of results) expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(localFiles(cwd)).toEqual(files);
  });
});

test("what a run leaves that is killed among others goes with the next one", async () => {
  const server = await startServer({ files });
  const args = ["-q", "-r", server.url("/d/")];
  const killed = await startProgram(args, { cwd });
  const other = run(args, { cwd });
  await expect.poll(() => existsSync(at("d")) && readdirSync(at("d")).length).toBeGreaterThan(20);
  killed.child.kill("SIGKILL");
  await killed.finished;
  expect(await other).toMatchObject({ status: 0, stderr: "" });
  expect(await run(args, { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(names()).toEqual(["d"]);
  expect(localFiles(cwd)).toEqual(files);
});

test.each([[[]], [["-s", "2"]]])(
  "a run elsewhere that was asleep changes nothing when it wakes after another has taken its document: %j",
  async (words) => {
    const size = 3.5 * 2 ** 20;
    const server = await startServer({ files: { x: { size, seed: 7 } } });
    const gate = new Gate();
    const slow = transfer({ pause: { after: 400_000, until: gate.opened } });
    for (const first of ["RETR#1", "RETR#2"].slice(0, words.length || 1)) server.on(first, slow);
    const args = ["-q", "-T", "200", ...words, server.url("/x")];
    const sleeper = await startProgram(args, { cwd });
    const data = at("x.ftpull/data");
    await expect.poll(() => existsSync(data) && statSync(data).size).toBeGreaterThan(390_000);
    sleeper.child.kill("SIGSTOP");
    elsewhere(sleeper.child.pid!);
    expect(await run(["-qc", ...words, server.url("/x")], { cwd })).toMatchObject({ status: 0 });
    const { mtimeMs, ino } = statSync(at("x"));
    gate.open();
    sleeper.child.kill("SIGCONT");
    expect((await sleeper.finished).status).toBe(3);
    expect(names()).toEqual(["x"]);
    expect(octetsOf("x").equals(generatedOctets(7, 0, size))).toBe(true);
    expect(statSync(at("x"))).toMatchObject({ mtimeMs, ino });
  },
);

/** Makes a process's folder look as though it were in another container, and had written nothing for long. */
function elsewhere(pid: number): void {
  const folder = readdirSync(at("x.ftpull"));
  const owner = folder.find((name) => name.startsWith(`owner-${pid}-`))!;
  const { boot } = thisProcess();
  const other = ownerName({ pid: 1, start: "1", boot, machine: "container-1" });
  renameSync(at(`x.ftpull/${owner}`), at(`x.ftpull/${other}`));
  const old = new Date(Date.now() - 11 * 60_000);
  for (const name of [...readdirSync(at("x.ftpull")), "."])
    utimesSync(at(`x.ftpull/${name}`), old, old);
}

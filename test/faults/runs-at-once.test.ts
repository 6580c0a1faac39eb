/** Several runs of one file or tree at once: none harms another's result. */
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Gate, transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, names, octetsOf, ownDirectory } from "../support/own-directory.ts";
import { run, type RunResult, startProgram } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";

const modified = new Date("2020-01-02T03:04:05Z");
const large = { size: 1_500_000, seed: 7 };
const whole = generatedOctets(large.seed, 0, large.size);

ownDirectory();

const atOnce = (count: number, args: string[]): Promise<RunResult[]> =>
  Promise.all(Array.from({ length: count }, () => run(args, { cwd })));

test.each([
  ["small", { content: "abc\n" }, Buffer.from("abc\n")],
  ["large", { content: large }, whole],
])("four runs of one %s file get four names", async (_claim, content, octets) => {
  const server = await startServer({ files: { x: { ...content, modified } } });
  for (const { status, stderr } of await atOnce(4, ["-q", server.url("/x")]))
    expect([
      status,
      stderr.replace(/^ftpull: \S+: saved as "x.[123]"\n(hint: .*\n)?$/, ""),
    ]).toEqual([0, ""]);
  expect(names()).toEqual(["x", "x.1", "x.2", "x.3"]);
  for (const name of names()) expect(octetsOf(name).equals(octets)).toBe(true);
});

test.each(["-f", "-N", "-c"])(
  "two runs of one large file with %s: one brings it",
  async (option) => {
    const server = await startServer({ files: { x: { content: large, modified } } });
    const gate = new Gate();
    server.on("RETR#1", transfer({ pause: { after: 400_000, until: gate.opened } }));
    const first = await startProgram(["-q", option, server.url("/x")], { cwd });
    await expect.poll(() => existsSync(at("x.ftpull"))).toBe(true);
    const second = await run(["-q", option, server.url("/x")], { cwd });
    expect(second.stderr).toContain(`cannot write "x": process ${first.child.pid} is writing it\n`);
    expect(second.status).toBe(3);
    gate.open();
    expect(await first.finished).toMatchObject({ status: 0, stderr: "" });
    expect([names(), octetsOf("x").equals(whole)]).toEqual([["x"], true]);
  },
);

test.each([[[]], [["-s", "2"]]])(
  "a run elsewhere that was asleep changes nothing when it wakes after another has taken its file: %j",
  async (words) => {
    const size = 3.5 * 2 ** 20;
    const server = await startServer({ files: { x: { content: { size, seed: 7 }, modified } } });
    const gate = new Gate();
    const slow = transfer({ pause: { after: 400_000, until: gate.opened } });
    for (const first of ["RETR#1", "RETR#2"].slice(0, words.length || 1)) server.on(first, slow);
    const args = ["-q", "-T", "200", ...words, server.url("/x")];
    const sleeper = await startProgram(args, { cwd });
    const size0 = (): number => (existsSync(at("x.ftpull")) ? statSync(at("x.ftpull")).size : 0);
    await expect.poll(size0).toBeGreaterThan(390_000);
    sleeper.child.kill("SIGSTOP");
    elsewhere();
    expect(await run(["-q", ...words, server.url("/x")], { cwd })).toMatchObject({ status: 0 });
    const { mtimeMs, ino } = statSync(at("x"));
    gate.open();
    sleeper.child.kill("SIGCONT");
    expect((await sleeper.finished).status).toBe(3);
    expect(names()).toEqual(["x"]);
    expect(octetsOf("x").equals(generatedOctets(7, 0, size))).toBe(true);
    expect(statSync(at("x"))).toMatchObject({ mtimeMs, ino });
  },
);

/** Makes a partial file look as though another host's process had written nothing to it for long. */
function elsewhere(): void {
  const state = JSON.parse(readFileSync(at("x.ftpull.json"), "utf8")) as object;
  writeFileSync(at("x.ftpull.json"), JSON.stringify({ ...state, host: "elsewhere", pid: 1 }));
  const old = new Date(Date.now() - 11 * 60_000);
  for (const name of ["x.ftpull", "x.ftpull.json"]) utimesSync(at(name), old, old);
}

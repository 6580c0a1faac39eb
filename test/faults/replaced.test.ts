/**
 * A file that is replaced on the server while segments of it arrive: the same size, a later time,
 * a few other octets in each MiB, so that no comparison of a segment's edge shows it. What is
 * saved is one of the two files, never a mixture of both.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { close, Gate, proceed } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { replacementOf } from "../support/replacement.ts";
import { type RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Action, Exchange, Step } from "../support/script.ts";
import { ChangingFile } from "./support/changing-file.ts";

const mebibyte = 2 ** 20;
const overlap = 4096;
const changed = "the document has changed on the server; beginning again";

/** A file of this size, and what replaces it. */
class Replacing extends ChangingFile {
  readonly old: Buffer;
  readonly new: Buffer;

  constructor(size: number) {
    const old = generatedOctets(1, 0, size);
    super(old);
    this.old = old;
    this.new = replacementOf(old);
  }

  readonly replace: Step = () => this.change(this.new);
}

function expectFile({ status, stderr, cwd }: RunResult, octets: Buffer): void {
  expect(status, stderr).toBe(0);
  expect(readdirSync(cwd)).toEqual(["x"]);
  expect(readFileSync(join(cwd, "x")).equals(octets)).toBe(true);
}

/** Answers only when a command that fits has arrived on the same connection. */
const onceSent =
  (pattern: RegExp): Step =>
  async ({ session }: Exchange) => {
    while (!session.control.commands.some((line) => pattern.test(line))) await delay(5);
  };

describe("a file that is replaced during -s", () => {
  test("is fetched anew when a connection takes over part of another one's range", async () => {
    const file = new Replacing(8 * mebibyte);
    const gate = new Gate();
    const goesOn = Promise.race([gate.opened, file.noticed.opened]);
    const server = await file.serve({
      "RETR#1": file.send({ pause: { after: 65_536, until: goesOn } }),
      "RETR#2": file.send({ completion: [file.replace, "226 Transfer complete"] }),
      "RETR#3": [() => gate.open(), file.send()],
    });
    const result = await run(["-s", "2", server.url("/d/x")]);
    expectFile(result, file.new);
    expect(result.stderr).toContain(changed);
    const { commands } = server.connections[1]!;
    const first = commands.indexOf("RETR x");
    expect(commands[first - 1]).toBe(`REST ${4 * mebibyte - overlap}`);
    const rest = commands.slice(first + 1);
    expect(rest.map((line) => line.replace(/\d+$/, "N"))).toEqual([
      "EPSV",
      "SIZE x",
      "MDTM x",
      "REST N",
      "QUIT",
    ]);
  });

  test("is asked about in the same write as REST", async () => {
    const file = new Replacing(3.5 * mebibyte);
    const gate = new Gate();
    const server = await file.serve({
      "RETR#1": file.send({ pause: { after: 65_536, until: gate.opened } }),
      "SIZE#3": [onceSent(/^REST /), proceed],
      "RETR#2": [() => gate.open(), proceed],
    });
    expectFile(await run(["-s", "2", server.url("/d/x")]), file.old);
  });

  test("is fetched anew when its facts are other ones at the end", async () => {
    const file = new Replacing(3.5 * mebibyte);
    const gate = new Gate();
    const server = await file.serve({
      "RETR#1": file.send({ pause: { after: 65_536, until: gate.opened } }),
      "RETR#2": [file.replace, () => gate.open(), file.send()],
    });
    const result = await run(["-s", "2", server.url("/d/x")]);
    expectFile(result, file.new);
    expect(result.stderr).toContain(changed);
  });

  test.each([
    ["the same", false],
    ["another one", true],
  ])("is asked about over a new connection when the others are lost: %s", async (_, replaced) => {
    const file = new Replacing(3.5 * mebibyte);
    const gate = new Gate();
    const lost = { completion: close };
    const server = await file.serve({
      "RETR#1": file.send({ ...lost, pause: { after: 65_536, until: gate.opened } }),
      "RETR#2": [replaced ? file.replace : [], () => gate.open(), file.send(lost)],
    });
    const result = await run(["-s", "2", server.url("/d/x")]);
    expectFile(result, replaced ? file.new : file.old);
    expect(result.stderr.includes(changed)).toBe(replaced);
    const last = server.connections.at(-1)!.commands;
    expect(last).toContain("MDTM x");
    if (!replaced) expect(last).not.toContain("RETR x");
  });

  test("comes over one connection when the server tells no time, which alone could show it", async () => {
    const file = new Replacing(3.5 * mebibyte);
    const server = await file.serve({ MDTM: "502 MDTM not implemented" });
    const result = await run(["-s", "2", server.url("/d/x")]);
    expectFile(result, file.old);
    expect(server.connections).toHaveLength(1);
    expect(server.commands.filter((line) => line.startsWith("RETR"))).toHaveLength(1);
  });

  test("is kept, with its last octet to come, when the server can't be asked any more", async () => {
    const file = new Replacing(3.5 * mebibyte);
    const gate = new Gate();
    const lost = { completion: close };
    const full: Action = ["421 Too many users", close];
    const server = await file.serve({
      "RETR#1": file.send({ ...lost, pause: { after: 65_536, until: gate.opened } }),
      "RETR#2": [() => gate.open(), file.send(lost)],
      "greeting#3": full,
      "greeting#4": full,
    });
    const first = await run(["-s", "2", "-t", "1", server.url("/d/x")]);
    expect(first.status).toBe(4);
    expect(first.stderr).toContain("the server couldn't say whether the document has changed: ");
    const note = readFileSync(join(first.cwd, "x.ftpull/state.json"), "utf8");
    const size = file.old.length;
    expect(JSON.parse(note)).toMatchObject({ missing: [[size - 1, size]] });
    server.on("greeting", proceed);
    const second = await run(["-c", server.url("/d/x")], { cwd: first.cwd });
    expectFile(second, file.old);
    expect(server.commands).toContain(`REST ${size - 1 - overlap}`);
  });
});

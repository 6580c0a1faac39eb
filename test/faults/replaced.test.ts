/**
 * A file that is replaced on the server while segments of it arrive: the same size, a later time, a few other bytes in
 * each MiB, so that no comparison of a block's edge shows it. What is saved is one of the two files, never a mixture.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { close, Gate } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { replacementOf } from "../support/replacement.ts";
import { type RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Step } from "../support/script.ts";
import { ChangingFile } from "./support/changing-file.ts";

const changed = "the file has changed on the server; beginning again";

/** A file of 4 MiB, and what replaces it. */
class Replacing extends ChangingFile {
  readonly old: Buffer;
  readonly new: Buffer;

  constructor() {
    const old = generatedOctets(1, 0, 4 * 2 ** 20);
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

test.each(["RETR#2", "RETR#3", "RETR#4"])("before %s: it is fetched anew", async (retrieval) => {
  const file = new Replacing();
  const gate = new Gate();
  const server = await file.serve({
    "RETR#1": file.send({ pause: { after: 65_536, until: gate.opened } }),
    "RETR#2": [() => gate.open(), file.send()],
    [retrieval]: [file.replace, () => gate.open(), file.send()],
  });
  const result = await run(["-s", "2", server.url("/d/x")]);
  expectFile(result, file.new);
  expect(result.stderr).toContain(changed);
});

test.each([false, true])("is asked about once more at the end: replaced %s", async (isReplaced) => {
  const file = new Replacing();
  const server = await file.serve({
    "RETR#4": file.send({ completion: [isReplaced ? file.replace : [], "226 Done"] }),
  });
  const result = await run(["-s", "2", server.url("/d/x")]);
  expectFile(result, isReplaced ? file.new : file.old);
  expect(result.stderr.includes(changed)).toBe(isReplaced);
});

test("by a longer one, once the last block has come: it is fetched anew", async () => {
  const file = new Replacing();
  const longer = Buffer.concat([file.new, file.new.subarray(0, 100)]);
  const gate = new Gate();
  const waits: Step = async () => {
    await gate.opened;
    file.change(longer);
  };
  const server = await file.serve({
    "RETR#3": [waits, file.send()],
    "RETR#4": [file.send(), () => gate.open()],
  });
  const result = await run(["-s", "2", server.url("/d/x")]);
  expectFile(result, longer);
  expect(result.stderr).toContain(changed);
});

test("is asked about by the next try when the connections are lost", async () => {
  const file = new Replacing();
  const server = await file.serve({ RETR: file.send({ completion: close }) });
  const lost = await run(["-s", "2", "-t", "1", server.url("/d/x")]);
  expect(lost.stderr).toMatch(/stopped at .* of 4.0 MiB; the same command goes on from there/);
  server.on("RETR", file.send());
  const result = await run([server.url("/d/x")], { cwd: lost.cwd });
  expectFile(result, file.old);
});

test("comes over one connection when the server tells no time, which alone could show it", async () => {
  const file = new Replacing();
  const server = await file.serve({ MDTM: "502 MDTM not implemented" });
  expectFile(await run(["-s", "2", server.url("/d/x")]), file.old);
  expect([server.connections.length, server.sent("RETR").length]).toEqual([1, 1]);
});

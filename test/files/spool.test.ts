import { readdirSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { Spool } from "../../src/files/output/spool.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const temporary = process.env["TMPDIR"];
afterEach(() => {
  if (temporary === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = temporary;
});

function write(spool: Spool, lines: readonly string[]): void {
  let position = 0;
  for (const line of lines) {
    const octets = Buffer.from(`${line}\n`, "latin1");
    spool.writeAt(position, octets);
    position += octets.length;
  }
}

test.each([
  ["in memory", 10],
  ["in a file", 40_000],
])("gives the lines back, as often as they are read: %s", async (_claim, count) => {
  const directory = await temporaryDirectory();
  process.env["TMPDIR"] = directory;
  const lines = Array.from({ length: count }, (_, index) => `${index} \xff${"x".repeat(50)}`);
  const spool = new Spool();
  spool.open();
  write(spool, lines);
  expect([...spool.lines()]).toEqual(lines);
  expect([...spool.lines()]).toEqual(lines);
  expect(readdirSync(directory)).toEqual([]);
  spool.close();
  expect([...spool.lines()]).toEqual([]);
});

test("a further try begins with no lines; what a broken one brought stays", async () => {
  const spool = new Spool();
  spool.open();
  write(spool, ["a", "b"]);
  await spool.discard();
  expect([...spool.lines()]).toEqual(["a", "b"]);
  spool.open();
  expect([...spool.lines()]).toEqual([]);
});

test("a directory for temporary files that is not there is named", () => {
  process.env["TMPDIR"] = "/nonexistent";
  const spool = new Spool();
  spool.open();
  expect(() => spool.writeAt(0, Buffer.alloc(2_000_000))).toThrow('cannot write "/nonexistent"');
});

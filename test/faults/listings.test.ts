/** Listings that break off: tried again unless lines were shown, and no line is shown twice. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { close, reset, transfer } from "../support/actions.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";

const lines = ["one", "two", "three", "four"].map(
  (name, index) => `type=file;size=${index};modify=20200102030405; ${name}\r\n`,
);
const content = [lines.join("")];
const names = "one\ntwo\nthree\nfour\n";

const first = lines[0]!.length + lines[1]!.length + 20;

const breaks: [claim: string, action: Action][] = [
  ["426", transfer({ content, first, completion: "426 cut" })],
  ["a reset", transfer({ content, first, end: "reset", completion: [reset] })],
  ["no reply", transfer({ content, first, completion: [close] })],
];

describe("a listing that ends in mid-line", () => {
  const cut = breaks[0]![1];
  const others = ["table", "json", "raw"].map((format) => [format, cut, format] as const);

  test.each([...breaks.map(([claim, action]) => [claim, action, "names"] as const), ...others])(
    "shows its whole lines once, and is a failure: %s",
    async (_claim, action, format) => {
      const server = await startServer({ on: { MLSD: transfer({ content }), "MLSD#1": action } });
      const words = ["--format", format, server.url("/")];
      const { status, stdout, stderr } = await run(words);
      const whole = await run(words);
      expect(whole.stderr).toBe("");
      // A table is sorted.
      if (format !== "table") expect(whole.stdout.startsWith(stdout)).toBe(true);
      expect(whole.stdout.split("\n")).toEqual(expect.arrayContaining(stdout.split("\n")));
      expect(stdout.trimEnd().split("\n")).toHaveLength(2);
      expect(stderr).not.toContain("trying again");
      expect([4, 8]).toContain(status);
      // No other command than the one that broke off.
      expect(server.sent("LIST", "NLST")).toEqual([]);
    },
  );

  test("into a file: begins again", async () => {
    const server = await startServer({ on: { MLSD: transfer({ content }), "MLSD#1": cut } });
    const { status, cwd } = await run(["-O", "list", server.url("/")]);
    expect(readFileSync(join(cwd, "list"), "utf8")).toBe(names);
    expect(status).toBe(0);
  });
});

test("nothing was shown yet: another command may follow", async () => {
  const on = { MLSD: "500 no more", "MLSD#1": transfer({ content: [], completion: "426 cut" }) };
  const server = await startServer({ files: { one: "" }, on });
  const { status, stdout } = await run([server.url("/")]);
  expect([status, stdout]).toEqual([0, "one\n"]);
});

describe("a listing that the server cut", () => {
  const truncated = "226 Output truncated to 4 matches";
  const cutListing = transfer({ content, completion: truncated });
  const complaint =
    'the server cut the listing: server replied 226 "Output truncated to 4 matches"';

  test.each([
    ["MLSD", ["MLST"]],
    ["LIST", ["UTF8"]],
  ])("%s: named, status 9, and what came is shown, once", async (command, features) => {
    const server = await startServer({ features, files: { a: "", "b/c": "" } });
    server.on(command, transfer({ completion: truncated }));
    const { status, stdout, stderr } = await run([server.url("/")]);
    expect(stderr).toBe(`ftpull: ${server.url("/")}: ${complaint}\n`);
    expect([status, stdout]).toEqual([9, "a\nb/\n"]);
    expect(server.commands.filter((line) => line === command)).toHaveLength(1);
  });

  test("-O gives it no name, and the next document arrives", async () => {
    const server = await startServer({ files: { "d/x": "text" }, on: { MLSD: cutListing } });
    const { status, cwd } = await run(["-O", "out", server.url("/d/"), server.url("/d/x")]);
    expect(readFileSync(join(cwd, "out"), "utf8")).toBe("text");
    expect(status).toBe(9);
    expect(server.connections).toHaveLength(1);
  });
});

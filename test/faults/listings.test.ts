/** Listings that break off: tried again, and no line of them shown twice. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { close, Gate, proceed, reset, transfer, until } from "../support/actions.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { runWithoutWaits } from "../support/waits.ts";

const lines = ["one", "two", "three", "four"].map(
  (name, index) => `type=file;size=${index};modify=20200102030405; ${name}\r\n`,
);
const content = [lines.join("")];
const names = "one\ntwo\nthree\nfour\n";

/** In the middle of the third line. */
const first = lines[0]!.length + lines[1]!.length + 20;

const breaks: [claim: string, action: Action][] = [
  ["426", transfer({ content, first, completion: "426 cut" })],
  ["500 OOPS", transfer({ content, first, completion: ["500 OOPS: child died", close] })],
  ["550", transfer({ content, first, completion: "550 read error" })],
  ["a reset", transfer({ content, first, end: "reset", completion: [reset] })],
  ["no reply", transfer({ content, first, completion: [close] })],
];

describe("a listing that ends in mid-line", () => {
  const cut = breaks[0]![1];
  const others = ["table", "json", "raw"].map((format) => [format, cut, format] as const);

  test.each([...breaks.map(([claim, action]) => [claim, action, "names"] as const), ...others])(
    "goes on where it broke off: %s",
    async (_claim, action, format) => {
      const server = await startServer({ on: { MLSD: transfer({ content }), "MLSD#1": action } });
      const { status, stdout, stderr } = await runWithoutWaits([
        "--format",
        format,
        server.url("/"),
      ]);
      const whole = await runWithoutWaits(["--format", format, server.url("/")]);
      expect(whole.stderr).toBe("");
      expect(stdout).toBe(whole.stdout);
      expect(stderr).toContain("trying again in ");
      expect(status).toBe(0);
      // No other command than the one that broke off.
      expect(server.commands.filter((command) => /LIST|NLST/.test(command))).toEqual([]);
    },
  );

  test("into a file: begins again", async () => {
    const server = await startServer({ on: { MLSD: transfer({ content }), "MLSD#1": cut } });
    const { status, cwd } = await runWithoutWaits(["-O", "list", server.url("/")]);
    expect(readFileSync(join(cwd, "list"), "utf8")).toBe(names);
    expect(status).toBe(0);
  });
});

test.each([
  ["550 read error", 8],
  ["426 cut", 8],
])("%s each time: the whole lines are shown once, status 8", async (completion, expected) => {
  const server = await startServer({ on: { MLSD: transfer({ content, first, completion }) } });
  const { status, stdout, stderr } = await runWithoutWaits(["-t", "2", server.url("/")]);
  expect(stdout).toBe("one\ntwo\n");
  expect(stderr).toContain(`cannot list the directory: server replied ${completion.slice(0, 3)}`);
  expect(status).toBe(expected);
});

test("each try brings more: shown as far as it came", async () => {
  const server = await startServer({
    on: {
      "MLSD#1": transfer({ content, first: 60, completion: "426 cut" }),
      "MLSD#2": transfer({ content, first: 20, completion: "426 cut" }),
      "MLSD#3": transfer({ content, first: 130, completion: "426 cut" }),
      "MLSD#4": transfer({ content }),
    },
  });
  const { status, stdout } = await runWithoutWaits([server.url("/")]);
  expect([status, stdout]).toEqual([0, names]);
});

test.each([
  ["a directory that has changed meanwhile", lines[3]! + lines.slice(0, 3).join("")],
  ["a shorter listing than was shown already", lines[0]!],
])("%s: status 9, and nothing more is shown", async (_claim, changed) => {
  const on = {
    MLSD: transfer({ content: [changed] }),
    "MLSD#1": transfer({ content, first, completion: "426 cut" }),
  };
  const server = await startServer({ on });
  const { status, stdout, stderr } = await runWithoutWaits([server.url("/")]);
  expect(stdout).toBe("one\ntwo\n");
  expect(stderr).toContain("the listing has changed since its first lines were shown");
  expect(status).toBe(9);
});

test("another first line, long before the break: status 9", async () => {
  const many = Array.from({ length: 300 }, (_, index) => `type=file;size=${index}; f${index}\r\n`);
  const changed = ["type=file;size=0; g0\r\n", ...many.slice(1)].join("");
  const broken = transfer({ content: [many.join("")], first: 7000, completion: "426 cut" });
  const on = { MLSD: transfer({ content: [changed] }), "MLSD#1": broken };
  const server = await startServer({ on });
  const { status, stdout, stderr } = await runWithoutWaits([server.url("/")]);
  const shown = stdout.trimEnd().split("\n");
  expect(shown).toEqual(shown.map((_, index) => `f${index}`));
  expect(stderr).toContain("the listing has changed since its first lines were shown");
  expect(status).toBe(9);
});

test("another form of listing than was shown already: status 9", async () => {
  const on = {
    MLSD: "500 no more",
    "MLSD#1": transfer({ content, first, completion: ["426 cut", close] }),
  };
  const server = await startServer({ files: { one: "" }, on });
  const { status, stdout, stderr } = await runWithoutWaits([server.url("/")]);
  expect(stdout).toBe("one\ntwo\n");
  expect(stderr).toContain("the listing has changed since its first lines were shown");
  expect(status).toBe(9);
});

test("nothing was shown yet: another command may follow", async () => {
  const on = { MLSD: "500 no more", "MLSD#1": transfer({ content: [], completion: "426 cut" }) };
  const server = await startServer({ files: { one: "" }, on });
  const { status, stdout } = await runWithoutWaits([server.url("/")]);
  expect([status, stdout]).toEqual([0, "one\n"]);
});

test("a listing is not continued behind the lines of another one: status 9", async () => {
  const [isSecondThere, isSecondShown] = [new Gate(), new Gate()];
  const server = await startServer({
    files: { "a/x": "", "b/x": "" },
    on: {
      MLSD: transfer({ content }),
      "CWD#2": [() => isSecondThere.open(), proceed],
      "MLSD#1": transfer({
        content,
        first,
        preliminary: [until(isSecondThere.opened), "150 here"],
        completion: ["426 cut", close],
      }),
      "MLSD#2": [transfer({ content: ["type=file; other\r\n"] }), () => isSecondShown.open()],
      "USER#3": [until(isSecondShown.opened), proceed],
    },
  });
  const { status, stdout, stderr } = await runWithoutWaits([
    "-j",
    "2",
    server.url("/a/"),
    server.url("/b/"),
  ]);
  expect(stdout).toBe("one\ntwo\nother\n");
  expect(stderr).toContain("lines of another listing were shown since this one broke off");
  expect(status).toBe(9);
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
    const { status, stdout, stderr } = await runWithoutWaits([server.url("/")]);
    expect(stderr).toBe(`ftpull: ${server.url("/")}: ${complaint}\n`);
    expect([status, stdout]).toEqual([9, "a\nb/\n"]);
    expect(server.commands.filter((line) => line === command)).toHaveLength(1);
  });

  test.each(["table", "json", "raw"])("as %s, too", async (format) => {
    const server = await startServer({ on: { MLSD: cutListing } });
    const { status, stdout } = await runWithoutWaits(["--format", format, server.url("/")]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(4);
    expect(status).toBe(9);
  });

  test("-O gives it no name, and the next document arrives", async () => {
    const server = await startServer({ files: { "d/x": "text" }, on: { MLSD: cutListing } });
    const { status, cwd } = await runWithoutWaits([
      "-O",
      "out",
      server.url("/d/"),
      server.url("/d/x"),
    ]);
    expect(readFileSync(join(cwd, "out"), "utf8")).toBe("text");
    expect(status).toBe(9);
    expect(server.connections).toHaveLength(1);
  });

  test.each(["226 Transfer complete, limited to 100 KB/s", "226 You may download at most 5 files"])(
    "%s: no cut",
    async (completion) => {
      const server = await startServer({ on: { MLSD: transfer({ content, completion }) } });
      expect(await runWithoutWaits([server.url("/")])).toMatchObject({
        status: 0,
        stdout: names,
        stderr: "",
      });
    },
  );

  test("such words about a file mean nothing", async () => {
    const on = { RETR: transfer({ completion: truncated }) };
    const server = await startServer({ files: { x: "text" }, on });
    expect(await runWithoutWaits(["-q", server.url("/x")])).toMatchObject({
      status: 0,
      stderr: "",
    });
  });
});

test("a tree whose listing breaks off is fetched by the next try", async () => {
  const server = await startServer({ files: { "d/x": "text" } });
  server.on("MLSD#1", transfer({ completion: "426 broken" }));
  const { status, cwd } = await runWithoutWaits(["-q", "-r", server.url("/d/")]);
  expect(readFileSync(join(cwd, "d/x"), "utf8")).toBe("text");
  expect(status).toBe(0);
});

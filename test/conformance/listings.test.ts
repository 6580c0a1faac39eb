/** P9: listings of servers that have no MLSD, whatever their LIST and NLST are like. */
import { describe, expect, it } from "vitest";
import { proceed, transfer } from "../support/actions.ts";
import type { Action, Step } from "../support/script.ts";
import { fetchFrom, fetchTree } from "./support/client.ts";
import { expectAfterLogin } from "./support/dialogue.ts";

it("MLSD that is refused for one directory is sent for the next one", async () => {
  const files = { "a/x": "", "b/y": "" };
  const given = { files, on: { "MLSD#1": "550 No such directory" } };
  const { status, stdout, server } = await fetchFrom(given, ["/a/", "/b/"]);
  expect([status, stdout]).toEqual([0, "x\ny\n"]);
  expect(server.sent("MLSD", "LIST")).toEqual(["MLSD", "LIST", "MLSD"]);
});

describe("a server without MLSD", () => {
  const files = { a: "", "b/c": "" };
  const foreign = "A.TXT;1    12/24   21-NOV-2026 07:30:00  [SYSTEM]   (RWED,RWED,RE,)\r\n";
  const unreadable = transfer({ content: [foreign.repeat(3)] });
  const nothing = transfer({ content: [] });

  const asTheyCome = foreign.replace("\r", "").repeat(3);
  const mode = "-rw-r--r--   1 u g 5 Nov 21 07:30";
  const words = `cannot read the line "${foreign.trimEnd()}" of the listing`;

  const oneLine = transfer({ content: [foreign, `${mode} a\r\n`] });

  it.each<[claim: string, LIST: Action, NLST: Action, asked: string, names: string]>([
    ["LIST that can't be read: NLST", unreadable, proceed, "LIST NLST", "a\nb\n"],
    ["one line that can be read is enough", oneLine, proceed, "LIST", "a\n"],
    ["nothing from NLST: no names", unreadable, nothing, "LIST NLST LIST", "unread"],
  ])("P9 %s", async (_claim, LIST, NLST, asked, expected) => {
    const given = { features: ["UTF8"], files, on: { LIST, NLST } };
    const { server, status, stdout, stderr } = await fetchFrom(given, "/");
    expectAfterLogin(server, ...askedInTurn(asked));
    const lines = expected === "unread" ? "" : expected;
    expect([status, stdout]).toEqual([0, lines]);
    if (expected === "unread") expect(stderr.split(words)).toHaveLength(4);
  });

  it("P8 a name that is no file, and that can be entered but not listed, is missing", async () => {
    const none = "550 No data sets found.";
    const on = { RETR: "550 Data set not found", LIST: none, NLST: none };
    const given = { features: ["UTF8"], directories: ["/PROD.NIX"], on };
    const { status, stdout, stderr } = await fetchFrom(given, "/PROD.NIX");
    expect(stderr).toContain('server replied 550 "Data set not found"');
    expect([status, stdout]).toEqual([8, ""]);
  });

  it("P8 in a tree, too", async () => {
    const inTop =
      (step: Step): Step =>
      (exchange) =>
        exchange.session.workingDirectory === "/PROD"
          ? step(exchange)
          : exchange.session.reply("550 No data sets found.");
    const on = {
      "RETR OLD.NIX": "550 Data set not found",
      LIST: inTop(unreadable),
      NLST: inTop(transfer({ content: "OLD.NIX\r\nPAY\r\n" })),
    };
    const there = { files: { "PROD/PAY": "1" }, directories: ["/PROD/OLD.NIX"] };
    const given = { features: ["UTF8"], ...there, on };
    const { status, stderr, files } = await fetchTree(given, [], { path: "/PROD/" });
    expect(stderr).toContain('cannot retrieve "OLD.NIX": server replied 550 "Data set not found"');
    expect([status, files]).toEqual([8, { "PROD/PAY": "1" }]);
  });

  it("P8 a directory behind a link whose empty listing is refused is empty", async () => {
    const on = { "LIST#2": "550 No files found", NLST: "550 No files found" };
    const there = { directories: ["/o"], links: { "d/l": "../o" }, files: { "d/x": "1" } };
    const given = { features: ["UTF8"], ...there, on };
    const { status, files } = await fetchTree(given, ["--links", "follow"]);
    expect([status, files]).toEqual([0, { "d/x": "1" }]);
  });

  /** A LIST that is refused before any TYPE is sent again behind it. */
  const askedInTurn = (asked: string): string[] =>
    asked.split(" ").flatMap((command) => (command === "TYPE" ? ["TYPE A"] : ["EPSV", command]));

  it("P9 LIST is refused before any TYPE: TYPE A, and once more", async () => {
    const LIST: Step = (exchange) =>
      exchange.session.control.commands.includes("TYPE A")
        ? exchange.proceed()
        : exchange.session.reply("550 data encoding must be set to utf8 for listing");
    const given = { features: ["UTF8"], files, on: { LIST } };
    const { server, status, stdout } = await fetchFrom(given, "/");
    expectAfterLogin(server, ...askedInTurn("LIST TYPE LIST"));
    expect([status, stdout]).toEqual([0, "a\nb/\n"]);
  });

  it("P9 a raw listing is LIST's as it comes", async () => {
    const given = { features: ["UTF8"], on: { LIST: unreadable } };
    const { server, status, stdout } = await fetchFrom(given, "/", ["--format", "raw"]);
    expectAfterLogin(server, "EPSV", "LIST");
    expect([status, stdout]).toEqual([0, asTheyCome]);
  });
});

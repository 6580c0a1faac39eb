/** P9: listings of servers that have no MLSD, whatever their LIST and NLST are like. */
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { ftpull } from "./support/client.ts";
import { expectAfterLogin } from "./support/dialogue.ts";

describe("a server without MLSD", () => {
  const files = { a: "", "b/c": "" };
  /** What VMS, MVS and others send: nothing that anybody could read without knowing them. */
  const foreign = "A.TXT;1    12/24   21-NOV-2026 07:30:00  [SYSTEM]   (RWED,RWED,RE,)\r\n";
  const unreadable = transfer({ content: [foreign.repeat(3)] });
  const nothing = transfer({ content: [] });

  type Row = [
    claim: string,
    on: Record<string, Action>,
    asked: string[],
    status: number,
    stdout: string,
  ];

  const listings: Row[] = [
    ["P9 names have their slash", {}, ["LIST"], 0, "a\nb/\n"],
    ["P9 LIST that can't be read: NLST", { LIST: unreadable }, ["LIST", "NLST"], 0, "a\nb\n"],
    [
      "P9 one line that can be read is enough",
      { LIST: transfer({ content: [foreign, "-rw-r--r-- 1 u g 5 Nov 21 07:30 a\r\n"] }) },
      ["LIST"],
      0,
      "a\n",
    ],
    [
      "P9 no entries for blank lines, which are an empty directory with a total of 0",
      { LIST: transfer({ content: ["total 0\r\n", "\r\n", "  \r\n", "\r\r\n"] }) },
      ["LIST"],
      0,
      "",
    ],
    [
      "P9 LIST that can't be read, and NLST refused: the lines as they come",
      { LIST: unreadable, NLST: "502 no NLST" },
      ["LIST", "NLST", "LIST"],
      0,
      foreign.replace("\r", "").repeat(3),
    ],
    [
      "P9 the same with 450 to NLST",
      { LIST: unreadable, NLST: "450 no files" },
      ["LIST", "NLST", "LIST"],
      0,
      foreign.replace("\r", "").repeat(3),
    ],
    [
      "P9 the same with nothing from NLST",
      { LIST: unreadable, NLST: nothing },
      ["LIST", "NLST", "LIST"],
      0,
      foreign.replace("\r", "").repeat(3),
    ],
    [
      "P9 450 to NLST of an empty directory",
      { LIST: nothing, NLST: "450 No files found" },
      ["LIST"],
      0,
      "",
    ],
    [
      "P9 550 to NLST of an empty directory",
      { LIST: transfer({ content: ["total 0\r\n"] }), NLST: "550 No files found" },
      ["LIST"],
      0,
      "",
    ],
    [
      "P9 450 to both, and the words that there is nothing",
      { LIST: "450 No files found", NLST: "450 No files found" },
      ["LIST", "NLST"],
      0,
      "",
    ],
    [
      "P9 the same in z/OS's words",
      { LIST: "550 No data sets found.", NLST: "550 No data sets found." },
      ["LIST", "NLST"],
      0,
      "",
    ],
    [
      "P9 the same in other words",
      { LIST: "550 The directory is empty", NLST: "550 The directory is empty" },
      ["LIST", "NLST"],
      0,
      "",
    ],
    [
      "P9 550 to both without such words",
      { LIST: "550 Permission denied", NLST: "550 No files found" },
      ["LIST", "NLST"],
      8,
      "",
    ],
    ["P9 450 to LIST without such words is tried again", { LIST: "450 busy" }, ["LIST"], 8, ""],
    [
      "P9 450 to NLST where LIST says nothing of it",
      { LIST: "502 no LIST", NLST: "450 No files found" },
      ["LIST", "NLST"],
      8,
      "",
    ],
  ];

  it.each(listings)("%s", async (_claim, on, asked, status, stdout) => {
    const server = await startServer({ features: ["UTF8"], files, on });
    const result = await ftpull([server.url("/")]);
    expectAfterLogin(server, ...asked.flatMap((command) => ["EPSV", command]));
    expect([result.status, result.stdout]).toEqual([status, stdout]);
  });

  it.each(["table", "json"])("P9 nothing from NLST leaves LIST's lines, as %s", async (format) => {
    const server = await startServer({
      features: ["UTF8"],
      on: { LIST: unreadable, NLST: nothing },
    });
    const { status, stdout } = await ftpull(["--format", format, server.url("/")]);
    expectAfterLogin(server, ...["LIST", "NLST", "LIST"].flatMap((command) => ["EPSV", command]));
    expect(stdout.trimEnd().split("\n")).toHaveLength(3);
    expect(stdout).toContain(foreign.trimEnd());
    expect(status).toBe(0);
  });

  it("P9 a raw listing is LIST's as it comes", async () => {
    const server = await startServer({ features: ["UTF8"], on: { LIST: unreadable } });
    const { status, stdout } = await ftpull(["--format", "raw", server.url("/")]);
    expectAfterLogin(server, "EPSV", "LIST");
    expect([status, stdout]).toEqual([0, foreign.replace("\r", "").repeat(3)]);
  });
});

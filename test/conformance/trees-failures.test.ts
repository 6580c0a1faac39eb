/** Trees that can't be fetched as a whole: what is missing is said, and the rest arrives. */
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import { localFiles, localTree } from "../support/local-tree.ts";
import type { Action } from "../support/script.ts";
import { startSecured, trusting } from "../tls/support/secured.ts";
import { fetchTree, ftpull } from "./support/client.ts";

const files = { "d/a": "1", "d/b": "22", "d/s/c": "3", "d/t/e": "4" };

const fetched = (on: Record<string, Action>, tries = 1) => fetchTree({ files, on }, [], { tries });

describe("T21 the others are fetched, and the status is 8", () => {
  it.each([
    ["a file", { "RETR a": "550 No" }, "/d/a", 'cannot retrieve "a"', ["d/a"]],
    ["a directory", { "CWD s": "550 No" }, "/d/s/", 'cannot enter the directory "s"', ["d/s/c"]],
    [
      "a listing",
      { "MLSD#2": "550 No", "LIST#1": "550 No", "NLST#1": "550 No" },
      "/d/s/",
      "cannot list the directory",
      ["d/s/c"],
    ],
  ])("%s", async (_claim, on, path, words, missing) => {
    const found = await fetched(on);
    expect(found.stderr).toContain(
      `ftpull: ${found.server.url(path)}: ${words}: server replied 550 "No"`,
    );
    expect(found.status).toBe(8);
    expect(Object.keys(found.files)).toEqual(
      Object.keys(files).filter((name) => !missing.includes(name)),
    );
  });
});

it("T21 a top directory that is refused isn't made", async () => {
  const found = await fetched({ "CWD d": "550 No" });
  expect([found.status, localTree(found.cwd)]).toEqual([8, {}]);
});

const lines = ["type=file;size=1;modify=20200102030405; a", "type=dir; s"].map(
  (line) => `${line}\r\n`,
);

describe("T23 a listing", () => {
  const broken = transfer({ first: 60, completion: "426 cut" });
  const inTheMiddle = lines.join("").length - 3;
  const cut = transfer({ content: lines, first: inTheMiddle, completion: "426 cut" });
  const truncated = "226 Output truncated to 2 matches";
  const refused = { MLSD: "550 No", LIST: "550 No", NLST: "550 No" };

  it.each<
    [claim: string, on: Record<string, Action>, tries: number, status: number, arrived: object]
  >([
    [
      "that the server cut: what it has is fetched",
      { "MLSD#1": transfer({ content: lines, completion: truncated }) },
      1,
      9,
      { "d/a": "1", "d/s/c": "3" },
    ],
    ["that ends with 426 is tried again", { "MLSD#1": broken }, 3, 0, files],
    [
      "that ends with 426: whole lines come",
      { "MLSD#1": cut, "MLSD#2": cut },
      2,
      8,
      { "d/a": "1" },
    ],
    ["that is refused after one that broke", { ...refused, "MLSD#1": broken }, 3, 8, {}],
    [
      "that is refused after one that broke: whole lines of that one come",
      { ...refused, "MLSD#1": cut },
      3,
      8,
      { "d/a": "1" },
    ],
  ])("%s", async (_claim, on, tries, status, arrived) => {
    const found = await fetched(on, tries);
    expect([found.status, found.files]).toEqual([status, arrived]);
    const said = status === 9 ? "the server cut the listing: server replied 226" : "";
    expect(found.stderr).toContain(said);
  });

  it("that TLS doesn't end, in the middle of a name: status 9, and no file of the shorter name", async () => {
    const line = (name: string) => `type=file;size=1;modify=20200102030405; ${name}`;
    const content = [`${line("a")}\r\n${line("long")}`];
    const on = { MLSD: transfer({ content, end: "cut" }) };
    const server = await startSecured(
      {},
      { files: { "d/a": "1", "d/long": "2", "d/longer": "3" }, on },
    );
    const url = server.url("/d/", { scheme: "ftpes" });
    const { status, stderr, cwd } = await ftpull([...(await trusting()), "-r", url]);
    expect(stderr).toContain(`${url}: the data connection was closed without TLS's close_notify`);
    expect([status, localFiles(cwd)]).toEqual([9, { "d/a": "1" }]);
  });
});

it("T22 a line that can't be read is shown: status 7, and the others arrive", async () => {
  const found = await fetched({ MLSD: transfer({ content: [lines[0]!, "nonsense\r\n"] }) });
  const words = 'cannot read the line "nonsense" of the listing: something may be missing';
  expect(found.stderr).toContain(words);
  expect([found.status, found.files]).toEqual([7, { "d/a": "1" }]);
});

describe("T5 facts of a listing that are out of date", () => {
  const grown = "type=file;size=1;modify=20200102030405; b\r\n";

  it("a file that has grown since is asked for again, and arrives: that is no failed try", async () => {
    const found = await fetched({ "MLSD#1": transfer({ content: [grown] }) });
    expect([found.status, found.files]).toEqual([0, { "d/b": "22" }]);
    expect(found.server.commands).toContain("SIZE b");
  });

  it("in ASCII, sizes mean nothing", async () => {
    const given = { files: { "d/x": "1\n2\n" } };
    const { server, status, cwd, files } = await fetchTree(given, [], { path: "/d/;type=a" });
    expect([status, files]).toEqual([0, { "d/x": "1\n2\n" }]);
    const again = await ftpull(["-r", server.url("/d/;type=a")], { cwd });
    expect(again.status).toBe(0);
    expect(server.sent("RETR")).toHaveLength(1);
  });
});

it.each(["450 Busy", "550 no"])("T6 a cut file isn't whole by 226 (SIZE: %s)", async (reply) => {
  const on = { "SIZE#1": reply, "RETR#1": transfer({ first: 2, completion: "226 Done" }) };
  const features = ["UTF8", "SIZE", "MDTM"];
  const given = { files: { "d/a": "whole" }, features, on };
  const found = await fetchTree(given, [], { tries: 2 });
  expect([found.status, found.files]).toEqual([0, { "d/a": "whole" }]);
});

it("T21 a bare name that is refused is missing: nothing says that it is a dangling link", async () => {
  const denied = "550 Access is denied.";
  const on = { LIST: "502 No", "SIZE y": denied, "MDTM y": denied, "RETR y": denied };
  const given = { files: { "d/x": "1", "d/y": "2" }, features: ["SIZE"], on };
  const { status, stderr, ...found } = await fetchTree(given);
  expect(stderr).toContain('/d/y: cannot retrieve "y": server replied 550 "Access');
  expect([status, found.files]).toEqual([8, { "d/x": "1" }]);
});

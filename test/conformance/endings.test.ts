/** The end of a transfer: any 2yz that nothing else can explain, octets that came before it, and a SIZE of 0. */
import { describe, expect, it } from "vitest";
import { proceed, transfer } from "../support/actions.ts";
import type { Action } from "../support/script.ts";
import { fetchFrom, fetchTree, filesIn, isPipelining } from "./support/client.ts";
import { expectAfterLogin, retrieval, visits } from "./support/dialogue.ts";

const files = { x: "x".repeat(100_000), y: "y", z: "z" };
const endings = ["200 ok", "202 done", "213 sent", '257 "/x"', "250 done"];

describe("the end of a transfer", () => {
  it.each(endings)("%s counts for three files of one session", async (completion) => {
    const given = { files, on: { RETR: transfer({ completion }) } };
    const { server, status, stderr, cwd } = await fetchFrom(given, ["/x", "/y", "/z"]);
    expect([status, Object.keys(filesIn(cwd))], stderr).toEqual([0, ["x", "y", "z"]]);
    expect([visits(server).length, server.sent("RETR").length]).toEqual([1, 3]);
  });

  it("any 2yz counts for listings", async () => {
    const on = { MLSD: transfer({ completion: "213 sent" }) };
    const { server, status, stdout } = await fetchFrom({ files, on }, "/");
    expectAfterLogin(server, "EPSV", "MLSD");
    expect([status, stdout]).toEqual([0, "x\ny\nz\n"]);
  });

  const twice = Buffer.from("226 done\r\n226 done\r\n");
  const doubled: [claim: string, on: Record<string, Action>][] = [
    ["one reply", { RETR: [proceed, "226 done"] }],
    ["one packet", { RETR: transfer({ completion: twice }) }],
    ["one packet, before the data", { RETR: transfer({ completion: twice, early: true }) }],
  ];
  // Where commands go one at a time, a second reply has no command that it could be taken for.
  it.runIf(isPipelining).each(doubled)(
    "that is doubled shows a misread session: the file comes again: %s",
    async (_claim, on) => {
      const { server, status, stderr, cwd } = await fetchFrom({ files, on }, ["/y", "/z"]);
      expect([status, filesIn(cwd)], stderr).toEqual([0, { y: "y", z: "z" }]);
      expect(server.sent("RETR")).toEqual(["RETR y", "RETR y", "RETR z"]);
    },
  );

  it.runIf(isPipelining)("that is doubled is a failure on standard output", async () => {
    const on = { RETR: transfer({ completion: twice }) };
    const { status, stdout } = await fetchFrom({ files, on }, "/y", ["-O", "-"]);
    expect([status, stdout]).toEqual([9, "y"]);
  });
});

// Servers say so of files that they make while they send them.
describe("a file with content whose SIZE is 0", () => {
  it.each<[claim: string, on: Record<string, Action>, words: string[]]>([
    ["", {}, []],
    [" whose time is unknown", { MDTM: "550 no" }, []],
    [" with -s", {}, ["-s", "3"]],
  ])("is delivered%s, once SIZE was asked again", async (_claim, on, words) => {
    const given = { files, on: { SIZE: "213 0", ...on } };
    const { server, status, stderr, cwd } = await fetchFrom(given, "/x", words);
    expectAfterLogin(server, ...retrieval("x"), "SIZE x", "MDTM x");
    expect([status, filesIn(cwd)["x"] === files.x], stderr).toEqual([0, true]);
  });

  const mlsd = (line: string) => ({ MLSD: transfer({ content: `${line} x\r\n` }) });
  const list = (size: number) => ({
    FEAT: "502 no",
    MLSD: "502 no",
    LIST: transfer({ content: `-rw-r--r-- 1 a b ${size} Jan  1  2020 x\r\n` }),
  });
  it.each<[claim: string, on: Record<string, Action>, status: number]>([
    ["is delivered in a tree whose listing says 0", mlsd("type=file;size=0;modify=20200102030405;"), 0], // prettier-ignore
    ["is delivered where the listing has its size", list(4), 0],
    ["fails where the listing has more", list(9), 9],
  ])("%s", async (_claim, on, status) => {
    const found = await fetchTree({ files: { "d/x": "text" }, on: { ...on, SIZE: "213 0" } });
    const whole = { "d/x": "text" };
    expect([found.status, found.files], found.stderr).toEqual([status, status ? {} : whole]);
  });

  it("fails where the transfer is cut", async () => {
    const cut = transfer({ first: 1000, end: "reset", completion: "426 cut" });
    const given = { files, on: { SIZE: "213 0", RETR: cut } };
    const { status, cwd } = await fetchFrom(given, "/x", [], { tries: 2 });
    expect([status === 0, "x" in filesIn(cwd)]).toEqual([false, false]);
  });
});

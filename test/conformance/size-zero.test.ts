/** SIZE 0 of a file with content: servers say so of files that they make while they send them. */
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { fetchFrom, filesIn, ftpull } from "./support/client.ts";
import { expectAfterLogin, retrieval } from "./support/dialogue.ts";

const text = "made while it is sent\n".repeat(10_000);
const files = { "d/x": text };
const again = ["SIZE x", "MDTM x"];

describe("a file whose SIZE is 0", () => {
  it.each<[claim: string, on: Record<string, Action>, words: string[]]>([
    ["", {}, []],
    [" whose time is unknown", { MDTM: "550 no" }, []],
    [" with -s", {}, ["-s", "3"]],
  ])("is delivered%s, once SIZE was asked again", async (_claim, on, words) => {
    const server = await startServer({ files: { x: text }, on: { SIZE: "213 0", ...on } });
    const { status, stderr, cwd } = await ftpull([...words, server.url("/x")]);
    expectAfterLogin(server, ...retrieval("x"), ...again);
    expect([status, filesIn(cwd)["x"] === text], stderr).toEqual([0, true]);
  });

  it("is delivered in a tree whose listing says 0", async () => {
    const line = "type=file;size=0;modify=20200102030405; x\r\n";
    const on = { MLSD: transfer({ content: line }), SIZE: "213 0" };
    const { status, stderr, cwd } = await fetchFrom({ files, on }, "/d/", ["-r"]);
    expect([status, filesIn(cwd)["d/x"] === text], stderr).toEqual([0, true]);
  });

  it("fails where the transfer is cut", async () => {
    const cut = transfer({ first: 1000, end: "reset", completion: "426 cut" });
    const server = await startServer({ files: { x: text }, on: { SIZE: "213 0", RETR: cut } });
    const { status, cwd } = await ftpull([server.url("/x")], { tries: 2 });
    expect([status === 0, "x" in filesIn(cwd)]).toEqual([false, false]);
  });
});

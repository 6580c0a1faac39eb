/** The end of a transfer: any 2yz that nothing else can explain, and octets that came before it. */
import { describe, expect, it } from "vitest";
import { proceed, transfer } from "../support/actions.ts";
import type { Action } from "../support/script.ts";
import { fetchFrom, filesIn, isPipelining } from "./support/client.ts";
import { expectAfterLogin, visits } from "./support/dialogue.ts";

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

  it.runIf(isPipelining).each(doubled)(
    "on standard output that is a failure: %s",
    async (_claim, on) => {
      const { status, stdout } = await fetchFrom({ files, on }, "/y", ["-O", "-"]);
      expect([status, stdout]).toEqual([9, "y"]);
    },
  );
});

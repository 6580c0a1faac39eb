/** P4: what servers reply to EPSV and PASV beside the two standard forms. */
import { describe, expect, it } from "vitest";
import { close, passive, reply229, stall } from "../support/actions.ts";
import { startServer } from "../support/start-server.ts";
import { fetchFrom, filesIn, ftpull } from "./support/client.ts";
import { expectAfterLogin } from "./support/dialogue.ts";

const files = { x: "x", y: "y" };
const all = ["TYPE I", "SIZE x", "MDTM x"];

describe("P4", () => {
  it("PASV answered by 229 is read", async () => {
    const on = { EPSV: "502 no", PASV: passive(reply229) };
    const { server, status, stderr, cwd } = await fetchFrom({ files, on }, "/x");
    expectAfterLogin(server, ...all, "EPSV", "PASV", "RETR x");
    expect([status, filesIn(cwd)], stderr).toEqual([0, { x: "x" }]);
  });

  it.each([
    ["a closed connection", close],
    ["silence", stall],
  ])("EPSV answered by %s leads to PASV at the next try", async (_claim, answer) => {
    const server = await startServer({ files, on: { EPSV: answer } });
    const { status, cwd, stderr } = await ftpull(["-T", "4", server.url("/x")], { tries: 2 });
    expect([status, filesIn(cwd)], stderr).toEqual([0, { x: "x" }]);
    expect(server.sent("EPSV").length).toBe(1);
  });

  it("the first EPSV that leads nowhere is the last", async () => {
    const server = await startServer({ files, on: { "EPSV#1": "425 not now" } });
    const { status, cwd } = await ftpull(["/x", "/y"].map((path) => server.url(path)));
    const second = ["SIZE y", "MDTM y", "PASV", "RETR y"];
    expectAfterLogin(server, ...all, "EPSV", "PASV", "RETR x", ...second);
    expect([status, filesIn(cwd)]).toEqual([0, files]);
  });

  it("425 to RETR after a transfer by EPSV doesn't give EPSV up", async () => {
    const server = await startServer({ files, on: { "RETR#2": "425 not now" } });
    const urls = ["/x", "/y"].map((path) => server.url(path));
    const { status, cwd } = await ftpull(urls, { tries: 2 });
    expect([status, filesIn(cwd), server.sent("PASV")]).toEqual([0, files, []]);
  });

  it("EPSV that fails once it was proven is asked again for the next file", async () => {
    const given = { files: { ...files, z: "z" }, on: { "EPSV#2": "425 not now" } };
    const { server, status } = await fetchFrom(given, ["/x", "/y", "/z"]);
    expect([status, server.sent("EPSV", "PASV")]).toEqual([0, ["EPSV", "EPSV", "PASV", "EPSV"]]);
  });

  it("425 to RETR with --active asks for no port by PASV", async () => {
    const given = { files, on: { RETR: "425 no" } };
    const { server, status } = await fetchFrom(given, "/x", ["--active"]);
    expect([status, server.sent("PASV")]).toEqual([8, []]);
  });

  it("EPSV refused for now over IPv6 is tried again", async () => {
    const server = await startServer({ files, host: "::1", on: { "EPSV#1": "425 no" } });
    const { status, cwd } = await ftpull([server.url("/x")], { tries: 2 });
    expect([status, filesIn(cwd), server.sent("PASV")]).toEqual([0, { x: "x" }, []]);
  });

  it("neither EPSV nor PASV: --active helps", async () => {
    const server = await startServer({ files, on: { EPSV: "500 what?", PASV: "500 what?" } });
    const { status, stderr } = await ftpull(["-q", server.url("/x")]);
    expectAfterLogin(server, ...all, "EPSV", "PASV");
    expect(stderr).toBe(
      `ftpull: ${server.url("/x")}: cannot open a data connection: server replied 500 "what?"\n`,
    );
    expect(status).toBe(8);
    const active = await ftpull(["--active", server.url("/x")]);
    expect([active.status, filesIn(active.cwd)]).toEqual([0, { x: "x" }]);
  });
});

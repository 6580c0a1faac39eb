/** M1 to M3: several URLs in one run. */
import { describe, expect, it } from "vitest";
import type { ServerOptions } from "../support/options.ts";
import { startServer } from "../support/start-server.ts";
import { filesIn, ftpull } from "./support/client.ts";
import {
  anonymousLogin,
  expectAfterLogin,
  expectCommands,
  retrieval,
  type Script,
  visits,
} from "./support/dialogue.ts";

const files = { "home/a/x": "ax", "home/a/y": "ay", "home/a/b/x": "abx", "home/c/x": "cx" };
const home: ServerOptions = { files, loginDirectory: "/home" };

describe("one control connection", () => {
  it("M1 is shared by anonymous with and without its name", async () => {
    const server = await startServer({ files: { x: "", y: "" } });
    await ftpull([server.url("/x"), server.url("/y", { user: "anonymous" })]);
    expect(visits(server)).toHaveLength(1);
  });

  it("M1 is not shared by another user, nor by another password", async () => {
    const server = await startServer({ files: { x: "" }, users: { v: { password: "p" } } });
    const logins = [undefined, { user: "v", password: "p" }, { user: "v", password: "wrong" }];
    const { status } = await ftpull(logins.map((login) => server.url("/x", login)));
    expect([status, server.sent("PASS").slice(1)]).toEqual([6, ["PASS p", "PASS wrong"]]);
    const said = visits(server).map(({ commands }) => [commands[1], commands.at(-1)]);
    const users = ["USER anonymous", "USER v", "USER v"];
    expect(said).toEqual(users.map((user) => [user, "QUIT"]));
  });
});

describe("the way from one document to the next", () => {
  const first: Script = ["PWD", "CWD a", ...retrieval("x")];

  it("M2 PWD refused: REIN and a new login", async () => {
    const server = await startServer({ ...home, on: { PWD: "502 no PWD" } });
    const { status, cwd } = await ftpull([server.url("/a/x"), server.url("/c/x")]);
    const again: Script = ["REIN", ...anonymousLogin, "PWD", "CWD c", ...retrieval("x")];
    expectAfterLogin(server, ...first, ...again);
    expect(visits(server)).toHaveLength(1);
    expect([status, filesIn(cwd)]).toEqual([0, { x: "ax", "x.1": "cx" }]);
  });

  it("M2 REIN refused, too: a new connection", async () => {
    const server = await startServer({ ...home, on: { PWD: "502 no", REIN: "502 no" } });
    const { status, cwd } = await ftpull([server.url("/a/x"), server.url("/c/x")]);
    const one: Script = [...anonymousLogin, ...first, "REIN", "QUIT"];
    const two: Script = [...anonymousLogin, "PWD", "CWD c", ...retrieval("x"), "QUIT"];
    expectCommands(server, ...one, ...two);
    expect([status, filesIn(cwd)]).toEqual([0, { x: "ax", "x.1": "cx" }]);
  });

  it.each(["USER#2", "PASS#2"])("M2 %s refused after REIN: a new connection", async (command) => {
    const on = { PWD: "502 no", [command]: "530 not again" };
    const server = await startServer({ files: { "a/x": "x", "b/y": "y" }, on });
    const urls = ["/a/x", "/b/y"].map((path) => server.url(path));
    const { status, stdout } = await ftpull(["-q", "-O", "-", ...urls]);
    expect([status, stdout]).toEqual([0, "xy"]);
    expect(server.commands.filter((line) => line === "QUIT")).toHaveLength(2);
  });

  it("M2 PWD's directory can't be entered: REIN", async () => {
    const server = await startServer({ ...home, on: { "CWD /home": "550 no" } });
    const { status, cwd } = await ftpull([server.url("/a/x"), server.url("/c/x")]);
    expect(visits(server)).toHaveLength(1);
    expect([status, filesIn(cwd)]).toEqual([0, { x: "ax", "x.1": "cx" }]);
  });
});

describe("a failure", () => {
  it("M3 of one URL doesn't stop the others, and the status tells", async () => {
    const server = await startServer(home);
    const urls = ["/none", "/a/x", "/none/x", "/c/x"].map((path) => server.url(path));
    const { status, stderr, cwd } = await ftpull(["--progress=none", ...urls]);
    expect(filesIn(cwd)).toEqual({ x: "ax", "x.1": "cx" });
    expect(stderr.match(/^ftpull: ftp:\S+: cannot/gm)).toHaveLength(2);
    expect(status).toBe(8);
  });
});

/** Names that servers misread, and files that they can't read. */
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import type { Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { fetchFrom, filesIn, ftpull } from "./support/client.ts";
import { expectAfterLogin, retrieval } from "./support/dialogue.ts";

/** Refuses names that the server would strip or expand before it looks for them. */
const misread: Step = (exchange) =>
  /^[ ~]/.test(exchange.argument) ? exchange.session.reply("550 no such file") : exchange.proceed();

const misreading = { SIZE: misread, MDTM: misread, RETR: misread, CWD: misread };

describe("P7 a name that begins with a blank or ~", () => {
  it.each([" x", "~x", "  x"])('"%s" is asked for with ./ in front after a 550', async (name) => {
    const server = await startServer({ files: { [name]: "text" }, on: misreading });
    const { status, stderr, cwd } = await ftpull([server.url(`/${encodeURIComponent(name)}`)]);
    expectAfterLogin(server, ...retrieval(name), ...retrieval(`./${name}`).slice(1));
    expect([status, filesIn(cwd)], stderr).toEqual([0, { [name]: "text" }]);
  });

  it.each([["500 no"], ["501 no"], ["125 here", "500 no"]])("after %j, too", async (...refusal) => {
    const server = await startServer({ files: { " x": "text" }, on: { "RETR  x": refusal } });
    const { status, stderr, cwd } = await ftpull([server.url("/%20x")]);
    expectAfterLogin(server, ...retrieval(" x"), ...retrieval("./ x").slice(1));
    expect([status, filesIn(cwd)], stderr).toEqual([0, { " x": "text" }]);
  });

  it("is asked for once where the server reads it", async () => {
    const { server, status, cwd } = await fetchFrom({ files: { " x": "text" } }, "/%20x");
    expectAfterLogin(server, ...retrieval(" x"));
    expect([status, filesIn(cwd)]).toEqual([0, { " x": "text" }]);
  });

  it("is tried as a directory's in the end, and the error is about the URL's name", async () => {
    const server = await startServer({ on: misreading });
    const { status, stderr } = await ftpull([server.url("/~joe"), "--progress=none"]);
    const asked = [...retrieval("~joe"), ...retrieval("./~joe").slice(1)];
    expectAfterLogin(server, ...asked, "PWD", "CWD ~joe");
    expect(stderr).toContain('cannot retrieve "~joe": server replied 550 "no such file"\n');
    expect(status).toBe(8);
  });
});

describe.each([
  ["MLSD", {}],
  ["LIST", { features: ["SIZE", "MDTM", "REST STREAM"] }],
])("an entry of a tree whose name begins with a blank, listed by %s", (_verb, options) => {
  const strip: Step = (exchange) => {
    exchange.argument = exchange.argument.trimStart();
    return exchange.proceed();
  };
  const on = { SIZE: strip, MDTM: strip, RETR: strip, CWD: strip };
  const files = { "d/x": "other", "d/ x": "own, longer", "d/y/z": "other", "d/ y/z": "inner" };

  it.each([[[]], [["-N"]]])("isn't mistaken for the one without the blank: %j", async (words) => {
    const server = await startServer({ files, on, ...options });
    const { status, stderr, cwd } = await ftpull(["-r", ...words, server.url("/d/")]);
    const { "d/ x": x, "d/ y/z": z } = filesIn(cwd);
    expect([status, x, z], stderr).toEqual([0, files["d/ x"], files["d/ y/z"]]);
  });
});

describe("a file of a tree whose RETR is answered by 451", () => {
  const listing = (mode: string): Step =>
    transfer({ content: `${mode} 1 u g 4 Nov 21 2020 x\r\n-rw-r--r-- 1 u g 1 Nov 21 2020 y\r\n` });
  const files = { "d/x": "text", "d/y": "y" };
  const features = ["UTF8"];

  it.each(["-rw-------", "-rw-r-----"])("isn't waited for where it has %s", async (mode) => {
    const on = { LIST: listing(mode), "RETR x": "451 local error" };
    const server = await startServer({ files, features, on });
    const { status, stderr, cwd } = await ftpull(["-r", server.url("/d/")], { tries: 3 });
    expect([status, filesIn(cwd)], stderr).toEqual([8, { "d/y": "y" }]);
    expect(server.sent("RETR")).toEqual(["RETR x", "RETR y"]);
    expect(stderr).not.toContain("trying again");
  });

  it("is tried again where all may read it", async () => {
    const on = { LIST: listing("-rw-r--r--"), "RETR#1 x": "451 local error" };
    const server = await startServer({ files, features, on });
    const { status, stderr, cwd } = await ftpull(["-r", server.url("/d/")], { tries: 3 });
    expect([status, filesIn(cwd)], stderr).toEqual([0, files]);
  });
});

/**
 * A firewall forgets a control connection that is silent during a long transfer: a document of
 * which all octets came is whole, with a note, and one of unknown size is not. And a server may end a
 * login without the connection.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { close, reset, stall, transfer } from "../support/actions.ts";
import { run } from "../support/run-here.ts";
import type { Action, Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";

const text = "0123456789".repeat(1000);

const losses: [manner: string, completion: Action, words: string][] = [
  ["reset", reset, "connection reset by peer"],
  ["FIN", close, "the server closed the control connection"],
  ["silence", stall, "the server did not confirm the end of the transfer within 4 s"],
];

async function fetch(completion: Action, on: Record<string, Action>, path = "/x") {
  const server = await startServer({
    files: { x: text },
    on: { RETR: transfer({ completion }), ...on },
  });
  const options = ["--progress", "none", "-t", "1", "-T", "4"];
  const result = await run([...options, server.url(path)]);
  const file = join(result.cwd, "x");
  return {
    status: result.status,
    lines: result.stderr.replaceAll(server.url(path), "URL").split("\n"),
    whole: existsSync(file) && readFileSync(file, "utf8") === text,
  };
}

describe.each(losses)(
  "a control connection lost after the data, by %s,",
  (_manner, loss, words) => {
    it("does no harm where the count equals SIZE", async () => {
      const { status, lines, whole } = await fetch(loss, {});
      expect(lines).toEqual([`ftpull: all 10000 octets arrived, but ${words}`, ""]);
      expect([status, whole]).toEqual([0, true]);
    });

    it("is a failure where the size is unknown", async () => {
      const { status, lines, whole } = await fetch(loss, { SIZE: "502 No SIZE" });
      expect(lines).toEqual([`ftpull: URL: ${words}`, ""]);
      expect([status, whole]).toEqual([4, false]);
    });

    it("is a failure where a text is converted", async () => {
      const { status, lines, whole } = await fetch(loss, {}, "/x;type=a");
      expect(lines).toEqual([`ftpull: URL: ${words}`, ""]);
      expect([status, whole]).toEqual([4, false]);
    });

    it("leaves the next document to a new connection", async () => {
      const server = await startServer({
        files: { x: text, y: "y" },
        on: { "RETR x": transfer({ completion: loss }) },
      });
      const options = ["-q", "-t", "1", "-T", "4"];
      const { status, stderr, cwd } = await run([...options, server.url("/x"), server.url("/y")]);
      expect([status, stderr]).toEqual([0, ""]);
      expect(readFileSync(join(cwd, "x"), "utf8")).toBe(text);
      expect(readFileSync(join(cwd, "y"), "utf8")).toBe("y");
      expect(server.connections).toHaveLength(2);
    });
  },
);

describe("a login that the server has ended", () => {
  const loggedOut: Step = async ({ session }) => {
    session.logOut();
    await session.reply("530 Not logged in");
  };
  const files = { "d/x": "x", "d/y": "y", "d/z": "z" };

  it.each([
    ["EPSV#2", "PASV"],
    ["RETR#2", "EPSV"],
  ])("is replaced by that of a new session: %s", async (command, passive) => {
    const server = await startServer({ files, on: { [command]: loggedOut } });
    const urls = ["x", "y", "z"].map((name) => server.url(`/d/${name}`));
    const { status, stderr, cwd } = await run(["-nv", "-t", "1", ...urls]);
    expect(status, stderr).toBe(0);
    expect(stderr).toMatch(/server replied 530 ".*": logging in again$/m);
    for (const name of ["x", "y", "z"]) expect(readFileSync(join(cwd, name), "utf8")).toBe(name);
    const [first, second] = server.connections;
    expect(first!.commands).toContain("RETR x");
    expect(first!.commands).not.toContain("RETR z");
    expect(second!.commands.slice(second!.commands.indexOf("CWD d"))).toEqual([
      "CWD d",
      "TYPE I",
      "SIZE y",
      "MDTM y",
      passive,
      "RETR y",
      "SIZE z",
      "MDTM z",
      passive,
      "RETR z",
      "QUIT",
    ]);
  });

  it("is asked for once: 530 may also be the refusal of a document", async () => {
    const server = await startServer({ files, on: { "RETR y": "530 Not for you" } });
    const urls = ["x", "y", "z"].map((name) => server.url(`/d/${name}`));
    const { status, stderr } = await run(["-q", ...urls]);
    expect(stderr).toContain('d/y: cannot retrieve "y": server replied 530 "Not for you"\n');
    expect(status).toBe(8);
    expect(server.sent("RETR")).toEqual(["RETR x", "RETR y", "RETR y", "RETR z"]);
    expect(server.connections).toHaveLength(2);
  });

  it("isn't asked for again where the login is new", async () => {
    const server = await startServer({ files, on: { "RETR x": "530 Not for you" } });
    expect(await run(["-q", server.url("/d/x")])).toMatchObject({ status: 8 });
    expect(server.sent("USER", "RETR")).toEqual(["USER anonymous", "RETR x"]);
  });
});

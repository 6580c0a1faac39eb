/** Replies that belong to no command, or come out of order: what came with them doesn't count. */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { close, proceed, transfer } from "../support/actions.ts";
import { run } from "../support/run-here.ts";
import type { Action, Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

describe("a stray reply", () => {
  test("isn't the success of the next CWD: a message whose second line looks like the end", async () => {
    const files = { "a/g": "g", f: "another" };
    const welcome = Buffer.from("250-Welcome\r\n250 GB of software\r\n250 changed\r\n");
    const enter: Step = async ({ session }) => {
      session.workingDirectory = "/a";
      await session.control.send(welcome);
    };
    const server = await startServer({ files, on: { "CWD a": enter } });
    const words = ["-v", "-x", "-nH", server.url("/a/g"), server.url("/no/f")];
    const { status, stderr, cwd } = await run(words);
    expect(existsSync(join(cwd, "no/f"))).toBe(false);
    expect(status, stderr).toBe(7);
    expect(stderr).toContain(": sending one command at a time from now on\n");
    expect(stderr).toContain("/a/g: the server sent a reply to no command: server replied 250");
    expect(stderr).toContain('/no/f: cannot enter the directory "no": server replied 550');
  });

  test("behind a transfer isn't the success of the next document's CWD", async () => {
    const files = { "a/g": "g", f: "another" };
    const server = await startServer({ files, on: { "RETR#1": [proceed, "250 changed"] } });
    const words = ["-x", "-nH", server.url("/a/g"), server.url("/no/f")];
    const { status, stderr, cwd } = await run(words);
    expect(existsSync(join(cwd, "no/f"))).toBe(false);
    expect(status, stderr).toBe(8);
    expect(readFileSync(join(cwd, "a/g"), "utf8")).toBe("g");
  });

  test("that comes once costs a session, and no file", async () => {
    const files = { "a/g": "g", "b/g": "other" };
    const server = await startServer({ files, on: { "CWD#1 a": [proceed, "250 stray"] } });
    const words = ["-x", "-nH", server.url("/a/g"), server.url("/b/g")];
    const { status, stderr, cwd } = await run(words);
    expect(status, stderr).toBe(0);
    expect(readFileSync(join(cwd, "a/g"), "utf8")).toBe("g");
    expect(readFileSync(join(cwd, "b/g"), "utf8")).toBe("other");
    expect(server.connections).toHaveLength(2);
  });
});

test.each([{ SIZE: "550 no" }, {}])("226 before a refusal makes no empty file: %j", async (on) => {
  const server = await startServer({
    files: { x: "x" },
    on: { ...on, RETR: ["226 done", "550 no"] },
  });
  const { status, stderr, cwd } = await run(["-t", "2", server.url("/x")]);
  expect(existsSync(join(cwd, "x")), stderr).toBe(false);
  expect(status, stderr).not.toBe(0);
});

describe("the times of a tree's files, asked in one write", () => {
  const [old, changed] = [new Date("2020-01-02T03:04:05Z"), new Date("2026-03-01T12:30:00Z")];
  const names = ["a", "b", "c", "d"];
  const stray = "213 20200102030405";
  const nothing: Step = () => {};

  /** Fetches a tree again, whose last file has changed without another size. */
  async function fetchAgain(on: Record<string, Action>) {
    const files = Object.fromEntries(
      names.map((name) => [`t/${name}`, { content: "old", modified: old }]),
    );
    files["t/d"] = { content: "new", modified: changed };
    const server = await startServer({ files, features: ["UTF8", "SIZE", "MDTM"], on });
    const cwd = await temporaryDirectory();
    mkdirSync(join(cwd, "t"));
    for (const name of names) {
      writeFileSync(join(cwd, "t", name), "old");
      utimesSync(join(cwd, "t", name), old, old);
    }
    const { status, stderr } = await run(["-v", "-r", server.url("/t/")], { cwd });
    expect(status, stderr).toBe(0);
    expect(readFileSync(join(cwd, "t/d"), "utf8"), stderr).toBe("new");
    return { server, stderr };
  }

  test.each(["a", "d"])(
    "a reply too many before the one for %s leaves no file as it was",
    async (name) => {
      // The last reply is on its way when the others have come.
      const late: Action = ["213 20260301123000", proceed];
      const strayed: Action = name === "d" ? stray : [stray, proceed];
      const on = {
        "MDTM#1 d": nothing,
        [`MDTM#1 ${name}`]: strayed,
        "NOOP#1": late,
        "QUIT#1": late,
      };
      const { server, stderr } = await fetchAgain(on);
      expect(stderr).toContain("the server doesn't answer in order: server replied 213");
      expect(server.connections).toHaveLength(2);
    },
  );

  test("a reply that comes behind that to the last command costs a session", async () => {
    const { server } = await fetchAgain({ "MDTM#1 d": "200 okay", "NOOP#1": stray });
    expect(server.connections).toHaveLength(2);
  });

  test("NOOP's refusal may be that of a file: they are asked one at a time", async () => {
    const { server, stderr } = await fetchAgain({ "NOOP#1": "550 no such file" });
    const problem = "the order of replies is not known: server replied 550";
    expect(stderr).toContain(
      `${problem} "no such file": sending one command at a time from now on`,
    );
    expect(server.connections).toHaveLength(2);
  });
});

test("no octet of a document of unknown size, and no reply behind 150, makes no empty file", async () => {
  const on = { SIZE: "550 no", RETR: transfer({ content: "", completion: close }) };
  const server = await startServer({ files: { x: "x" }, on });
  const { status, stderr, cwd } = await run(["-t", "2", server.url("/x")]);
  expect(existsSync(join(cwd, "x")), stderr).toBe(false);
  expect(status, stderr).not.toBe(0);
});

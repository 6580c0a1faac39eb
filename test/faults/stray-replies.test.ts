/** Replies that belong to no command, or come out of order: what came with them doesn't count. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { proceed } from "../support/actions.ts";
import type { Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { runWithoutWaits } from "../support/waits.ts";

describe("a stray reply", () => {
  test("isn't the success of the next CWD: a message whose second line looks like the end", async () => {
    const files = { "a/g": "g", f: "another" };
    const welcome = Buffer.from("250-Welcome\r\n250 GB of software\r\n250 changed\r\n");
    const enter: Step = async ({ session }) => {
      session.workingDirectory = "/a";
      await session.control.send(welcome);
    };
    const server = await startServer({ files, on: { "CWD a": enter } });
    const words = ["-x", "-nH", server.url("/a/g"), server.url("/no/f")];
    const { status, stderr, cwd } = await runWithoutWaits(words);
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
    const { status, stderr, cwd } = await runWithoutWaits(words);
    expect(existsSync(join(cwd, "no/f"))).toBe(false);
    expect(status, stderr).toBe(8);
    expect(readFileSync(join(cwd, "a/g"), "utf8")).toBe("g");
  });

  test.each(["200", "213 7", "226", "229 (|||2020|)", "250", '257 "/"'])(
    "%s that comes once costs a session, and no document",
    async (stray) => {
      const files = { "a/g": "g", "b/g": "other" };
      const server = await startServer({ files, on: { "CWD#1 a": [proceed, stray] } });
      const words = ["-x", "-nH", server.url("/a/g"), server.url("/b/g")];
      const { status, stderr, cwd } = await runWithoutWaits(words);
      expect(status, stderr).toBe(0);
      expect(readFileSync(join(cwd, "a/g"), "utf8")).toBe("g");
      expect(readFileSync(join(cwd, "b/g"), "utf8")).toBe("other");
      expect(server.connections).toHaveLength(2);
    },
  );
});

test("a reply that its command can't have is shown as text", async () => {
  const server = await startServer({ files: { x: "x" }, on: { SIZE: "200 \x1b]0;pwned\x07" } });
  const { status, stderr } = await runWithoutWaits([server.url("/x")]);
  expect([status, server.connections.length]).toEqual([0, 2]);
  expect(stderr).toContain(
    'the server doesn\'t answer in order: server replied 200 "\\x1b]0;pwned\\x07": ' +
      "sending one command at a time from now on\n",
  );
});

test("commands of one write that are worked on in another order are sent one at a time", async () => {
  // Both CWDs begin at the login directory, and TYPE's reply comes first.
  const files = { "a/b/f": "right", "b/f": "wrong" };
  const on = { "CWD#1 a": "200 Type set to I", "TYPE#1": "250 in a" };
  const server = await startServer({ files, on });
  const { status, stderr, cwd } = await runWithoutWaits([server.url("/a/b/f")]);
  expect(status, stderr).toBe(0);
  expect(readFileSync(join(cwd, "f"), "utf8")).toBe("right");
  expect(server.connections).toHaveLength(2);
});

/**
 * A server that can't be reached for a while, or not at all: its tries and waits are those of all
 * documents together.
 */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { close, proceed, reset, stall } from "../support/actions.ts";
import { run } from "../support/run-here.ts";
import { perform } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const names = Array.from({ length: 60 }, (_, index) => `f${index}`);
const files = Object.fromEntries(names.map((name) => [name, `the text of ${name}\n`]));
const list = (server: ScriptedServer): string =>
  names.map((name) => `${server.url(`/${name}`)}\n`).join("");

describe.each(["1", "4"])("with -j %s and default options", (jobs) => {
  test.each([
    ["resets connections", reset],
    ["answers 421", ["421 Back soon", close]],
    ["closes them", close],
  ])("all documents of a server that %s for a while arrive", async (_, away) => {
    const server = await startServer({ files });
    let first = Infinity;
    // In the middle, while other documents wait.
    server.on("RETR#30", () => {
      first = server.connections.length;
      for (const connection of server.connections) connection.destroy();
    });
    server.on("greeting", async (exchange) => {
      const { number } = exchange.session.control;
      await perform(number > first && number <= first + 4 ? away : proceed, exchange);
    });
    const result = await run(["-nv", "-j", jobs, "-i", "-"], { stdin: list(server) });
    expect(result.status, result.stderr.slice(-2000)).toBe(0);
    expect(readdirSync(result.cwd)).toHaveLength(names.length);
    expect(server.connections.length).toBeGreaterThan(first + 4);
  });
});

test.each(["1", "4"])("-j %s: a server that never greets costs the tries once", async (jobs) => {
  const server = await startServer({ files, on: { greeting: stall } });
  const words = ["-q", "-t", "2", "-T", "1", "-j", jobs, "-i", "-"];
  const { status, stderr } = await run(words, { stdin: list(server) });
  expect(status).toBe(4);
  expect(stderr.match(/no reply|did not|no answer/g)).toHaveLength(names.length);
  expect(server.connections).toHaveLength(2);
});

test("a wrong password is sent once for all documents of that login", async () => {
  const server = await startServer({ files, users: { alice: { password: "a" } } });
  const url = (name: string, password: string) =>
    server.url(`/${name}`, { user: "alice", password });
  const urls = [...names.map((name) => url(name, "wrong")), url("f1", "a")];
  const { status, stderr, cwd } = await run(["-q", "--no-input", "-i", "-"], {
    stdin: urls.join("\n"),
  });
  expect(status).toBe(6);
  expect(stderr.match(/cannot log in as "alice"/g)).toHaveLength(names.length);
  expect(server.commands.filter((line) => line === "PASS wrong")).toHaveLength(1);
  expect(readdirSync(cwd)).toEqual(["f1"]);
});

test("no document waits for connections that never come while sessions are free", async () => {
  const few = names.slice(0, 12);
  const server = await startServer({ files });
  server.on("greeting", stall);
  server.on("greeting#1", proceed);
  server.on("greeting#2", proceed);
  const urls = few.map((name) => server.url(`/${name}`));
  const result = await run(["-nv", "-j", "8", ...urls]);
  expect(result.status, result.stderr).toBe(0);
  expect(readdirSync(result.cwd)).toHaveLength(few.length);
  expect(result.stderr).toMatch(/total: 12 files, .* in 0s\n$/);
  expect(result.stderr).not.toMatch(/trying again/);
});

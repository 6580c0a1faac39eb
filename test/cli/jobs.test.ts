import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { close, Gate, proceed, until } from "../support/actions.ts";
import { run } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";

const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
const files = Object.fromEntries(names.map((name) => [`many/${name}`, `the text of ${name}\n`]));

/** Fetches all files at once with `-j 4`, and sees that each arrived. */
async function fetchAll(server: { url(path: string): string }, ...options: string[]) {
  const urls = names.map((name) => server.url(`/many/${name}`));
  const result = await run(["-j", "4", ...options, ...urls]);
  expect(readdirSync(result.cwd).toSorted()).toEqual(names.toSorted());
  for (const name of names) {
    expect(readFileSync(join(result.cwd, name), "utf8")).toBe(files[`many/${name}`]);
  }
  return result;
}

describe("several documents at once", () => {
  test("-j 4 opens four control connections, and no more", async () => {
    const server = await startServer({ files });
    expect(await fetchAll(server, "-q")).toMatchObject({ status: 0, stderr: "" });
    expect(server.connections).toHaveLength(4);
  });

  test.each([
    [
      "421 to the greeting",
      { "greeting#3": ["421 Too many users", close], "greeting#4": "421 Too many users" },
    ],
    [
      "530 to PASS",
      {
        "PASS#3": "530 Sorry, the maximum number of clients is logged in",
        "PASS#4": "530 maximum",
      },
    ],
  ])("a server that says %s gets fewer, and nothing is lost", async (_, on) => {
    const server = await startServer({ files, on });
    expect(await fetchAll(server, "-q")).toMatchObject({ status: 0, stderr: "" });
    expect(server.connections).toHaveLength(4);
  });

  test("a server that lets nobody in ends the run with its words", async () => {
    const server = await startServer({ files, on: { greeting: ["421 Too many users", close] } });
    const result = await run([
      "-q",
      "-t",
      "1",
      "-j",
      "2",
      server.url("/many/f0"),
      server.url("/many/f1"),
    ]);
    expect(result.status).toBe(8);
    expect(result.stderr).toContain("421");
  });

  test("-j 12 has twelve sessions at once without a warning of Node's", async () => {
    const server = await startServer({ files });
    const gate = new Gate();
    server.on("greeting", [until(gate.opened), proceed]);
    server.on("greeting#12", [() => gate.open(), proceed]);
    const urls = names.map((name) => server.url(`/many/${name}`));
    expect(await run(["-q", "-j", "12", ...urls])).toMatchObject({ status: 0, stderr: "" });
    expect(server.connections).toHaveLength(12);
  });

  test("-O takes them one after the other, in order", async () => {
    const server = await startServer({ files });
    const urls = names.map((name) => server.url(`/many/${name}`));
    const result = await run(["-q", "-j", "4", "-O", "-", ...urls]);
    expect(result.stdout).toBe(names.map((name) => files[`many/${name}`]).join(""));
  });

  test("listings come whole, one after the other", async () => {
    const server = await startServer({ files });
    const result = await run(["-q", "-j", "4", ...Array(4).fill(server.url("/many/"))]);
    const listing = names.map((name) => `${name}\n`).join("");
    expect(result).toMatchObject({ status: 0, stdout: listing.repeat(4) });
  });

  test("one that fails doesn't stop the others", async () => {
    const server = await startServer({ files, on: { "RETR f5": "550 no" } });
    const urls = names.map((name) => server.url(`/many/${name};type=i`));
    const result = await run(["-q", "-j", "4", ...urls]);
    expect(result.status).toBe(8);
    expect(readdirSync(result.cwd)).toHaveLength(names.length - 1);
  });
});

/** A length that the server tells otherwise than by SIZE: a document with fewer octets was cut. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";

const size = 300_000;
const name = "x (7 bytes)";
const path = "/x%20(7%20bytes)";
const files = { [name]: { size, seed: 5 } };
const opening = "150 Opening BINARY mode data connection for x";

const told: [claim: string, on: Record<string, Action>, preliminary: string][] = [
  ["in the 150", { SIZE: "500 what?" }, `${opening} (${size} bytes).`],
  ["by SIZE with its unit", { SIZE: `213 ${size} bytes` }, "150 here it comes"],
];

async function fetch(on: Record<string, Action>, words: readonly string[] = []) {
  const server = await startServer({ files, on });
  const result = await run([...words, server.url(path)]);
  return { ...result, path: join(result.cwd, name) };
}

async function expectWhole(on: Record<string, Action>, words?: readonly string[]): Promise<void> {
  const { status, stderr, path } = await fetch(on, words);
  expect(status, stderr).toBe(0);
  expect(readFileSync(path).equals(generatedOctets(5, 0, size))).toBe(true);
}

describe.each(told)("a length %s", (_claim, on, preliminary) => {
  const cut = transfer({ first: size / 2, preliminary, completion: "226 done" });

  test("shows that a document was cut", async () => {
    const { status, stderr, path } = await fetch({ ...on, RETR: cut }, ["-t", "1"]);
    expect(status, stderr).toBe(9);
    expect(stderr).toContain(`expected ${size} bytes, received ${size / 2}`);
    expect(existsSync(path)).toBe(false);
  });

  test("makes it whole though the end isn't confirmed", async () => {
    await expectWhole({ ...on, RETR: transfer({ preliminary, completion: [] }) }, ["-T", "3"]);
  });
});

test("more than SIZE tells is nothing to go on with", async () => {
  const { status, stderr, cwd } = await fetch({ SIZE: "213 100000" }, ["-t", "1"]);
  expect(status, stderr).toBe(9);
  expect(stderr).toContain(`expected 100000 bytes, received ${size}; nothing was kept\n`);
  expect(readdirSync(cwd)).toEqual([]);
});

test("the octets of a text aren't counted by it", async () => {
  const preliminary = `${opening} (${size + 9} bytes)`;
  const server = await startServer({
    files: { x: "text" },
    on: { RETR: transfer({ preliminary }) },
  });
  const { status, stderr } = await run([server.url("/x;type=a")]);
  expect(status, stderr).toBe(0);
});

import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Destination } from "../../../src/files/destination.ts";
import { documentOutput } from "../../../src/files/output/document-output.ts";
import { existing } from "../../support/existing.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

let directory: string;
let file: Required<Destination>;
beforeEach(async () => {
  directory = await temporaryDirectory();
  const path = join(directory, "all");
  const output = documentOutput(path, existing.newer, () => process.stdout, true);
  file = output as Required<Destination>;
});

const identity = (url: string) => ({ url, size: undefined, modified: undefined });
const text = () => fs.readFileSync(join(directory, "all"), "latin1");
const names = () => fs.readdirSync(directory);

async function send(url: string, octets: string): Promise<void> {
  await file.open(identity(url), 0);
  if (octets !== "") await file.writeAt(0, Buffer.from(octets));
}

async function sendWhole(url: string, octets: string, modified?: Date): Promise<void> {
  await send(url, octets);
  file.publish(modified);
}

test("a document that failed is not in it, wherever it stood", async () => {
  await send("ftp://h/a", "lost");
  file.keep();
  await sendWhole("ftp://h/b", "b");
  await send("ftp://h/c", "lost");
  file.keep();
  await sendWhole("ftp://h/d", "d");
  await send("ftp://h/e", "lost");
  file.keep();
  file.conclude();
  expect(text()).toBe("bd");
  expect(names()).toEqual(["all"]);
});

test("nothing whole leaves the file alone, and nothing else", async () => {
  fs.writeFileSync(join(directory, "all"), "old");
  await send("ftp://h/a", "half");
  file.keep();
  file.conclude();
  expect(text()).toBe("old");
  expect(names()).toEqual(["all"]);
});

test("a run that ends early leaves nothing", async () => {
  await sendWhole("ftp://h/a", "one");
  await send("ftp://h/b", "tw");
  file.abandon();
  expect(names()).toEqual([]);
});

test("a later document is continued within the run, and counts from its own octet 0", async () => {
  await sendWhole("ftp://h/a", "one");
  expect(file.choose(identity("ftp://h/b"))).toBeUndefined();
  await send("ftp://h/b", "tw");
  expect(file.choose(identity("ftp://h/b"))).toEqual({
    octets: 2,
    version: identity("ftp://h/b"),
  });
  expect(file.tail(2, 4096).toString()).toBe("tw");
  await file.open(identity("ftp://h/b"), 2);
  await file.writeAt(2, Buffer.from("o"));
  file.publish(undefined);
  file.conclude();
  expect(text()).toBe("onetwo");
});

test("a directory that has taken the name is a failure, of which nothing else stays", async () => {
  await sendWhole("ftp://h/a", "one");
  fs.mkdirSync(join(directory, "all"));
  expect(() => file.conclude()).toThrow("another program has made it meanwhile");
  file.abandon();
  expect(names()).toEqual(["all"]);
});

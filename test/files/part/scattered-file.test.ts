import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { DocumentIdentity } from "../../../src/files/destination.ts";
import type { Gap } from "../../../src/files/gaps.ts";
import { SharedFile } from "../../../src/files/output/shared-file.ts";
import { NamedFile } from "../../../src/files/part/named-file.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const document: DocumentIdentity = { url: "ftp://h/x", size: 6, modified: undefined };

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
});

const at = (name: string) => join(directory, name);
const text = (name: string) => fs.readFileSync(at(name), "latin1");
const names = () => fs.readdirSync(directory).toSorted();
const segments = () => (JSON.parse(text("x.part.json")) as { segments: Gap[] | null }).segments;

/** What a run leaves that got the octets at 0, 1 and 4. */
async function leavePieces(): Promise<void> {
  const file = new NamedFile(at("x"), "number");
  const scattered = file.scatter(document, [[0, 6]]);
  await scattered.writerAt(4).write(Buffer.from("e"));
  await scattered.writerAt(0).write(Buffer.from("ab"));
  scattered.save([
    [2, 4],
    [5, 6],
  ]);
  expect(await file.close()).toBe(3);
}

test("octets come in any order, and the note says what is missing", async () => {
  const file = new NamedFile(at("x"), "number");
  const scattered = file.scatter(document, [[0, 6]]);
  expect(segments()).toEqual([[0, 6]]);
  await scattered.writerAt(3).write(Buffer.from("def"));
  const writer = scattered.writerAt(0);
  await writer.write(Buffer.from("ab"));
  scattered.save([[2, 3]]);
  expect(segments()).toEqual([[2, 3]]);
  await writer.write(Buffer.from("c"));
  file.begin(document, 6);
  expect(await file.finish(undefined)).toBe(at("x"));
  expect(text("x")).toBe("abcdef");
  expect(names()).toEqual(["x"]);
});

test("a later run is told what is here, and goes on with it", async () => {
  await leavePieces();
  const file = new NamedFile(at("x"), "continue");
  const missing: Gap[] = [
    [2, 4],
    [5, 6],
  ];
  expect(file.partial()).toEqual({ octets: 3, missing, document, inPlace: false });
  const scattered = file.scatter(document, missing);
  await scattered.writerAt(2).write(Buffer.from("cd"));
  await scattered.writerAt(5).write(Buffer.from("f"));
  file.begin(document, 6);
  await file.finish(undefined);
  expect(text("x")).toBe("abcdef");
});

test("nothing is known of pieces whose file was cut since", async () => {
  await leavePieces();
  fs.truncateSync(at("x.part"), 4);
  const file = new NamedFile(at("x"), "continue");
  expect(file.partial()).toEqual({ octets: 4, document: undefined, inPlace: false });
});

test.each([
  ["not of the document", [[5, 7]]],
  ["no gaps", "all of it"],
])("nothing is known of pieces whose note is %s", async (_, spoilt) => {
  await leavePieces();
  fs.writeFileSync(at("x.part.json"), JSON.stringify({ ...document, segments: spoilt }));
  const file = new NamedFile(at("x"), "continue");
  expect(file.partial()?.document).toBeUndefined();
});

test("a file that was given its length, and no octet, is nothing", async () => {
  const first = new NamedFile(at("x"), "number");
  first.scatter(document, [[0, 6]]);
  await first.close();
  fs.truncateSync(at("x.part"), 6);
  expect(new NamedFile(at("x"), "continue").partial()).toBeUndefined();
});

test.each([
  ["a beginning", "x.part"],
  ["the file of a program that writes in place", "x"],
])("%s goes on in any order", async (_, name) => {
  fs.writeFileSync(at(name), "abc");
  const note = { ...document, modified: null, segments: null };
  if (name === "x.part") fs.writeFileSync(at("x.part.json"), JSON.stringify(note));
  const file = new NamedFile(at("x"), "continue");
  expect(file.partial()?.octets).toBe(3);
  const scattered = file.scatter(document, [[3, 6]]);
  expect(segments()).toEqual([[3, 6]]);
  await scattered.writerAt(5).write(Buffer.from("f"));
  await scattered.writerAt(3).write(Buffer.from("de"));
  file.begin(document, 6);
  await file.finish(undefined);
  expect(text("x")).toBe("abcdef");
});

test("of several documents in one file only the first comes in any order", async () => {
  const file = new SharedFile(at("x"), "replace");
  await file.scatter!(document, [[0, 6]])
    .writerAt(0)
    .write(Buffer.from("abcdef"));
  file.begin(document, 6);
  await file.finish(undefined);
  expect(file.scatter).toBeUndefined();
  file.begin(document, 0);
  await file.write(Buffer.from("ghijkl"));
  await file.finish(undefined);
  await file.conclude();
  expect(text("x")).toBe("abcdefghijkl");
});

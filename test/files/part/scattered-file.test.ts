import * as fs from "node:fs";
import { expect, test } from "vitest";
import type { Version } from "../../../src/files/destination.ts";
import type { Gap } from "../../../src/files/gaps.ts";
import { NamedFile } from "../../../src/files/part/named-file.ts";
import { leavePart } from "../../support/part.ts";
import { at, names, ownDirectory, text } from "../../support/own-directory.ts";

const document: Version = { url: "ftp://h/x", size: 6, modified: undefined };

ownDirectory();

const segments = () =>
  (JSON.parse(text("x.ftpull/state.json")) as { missing: Gap[] | null }).missing;

/** The file, ready for what is missing in any order. */
function opened(file: NamedFile, missing: readonly Gap[]): NamedFile {
  file.open(document, missing, false);
  file.save(missing);
  return file;
}

async function leavePieces(): Promise<void> {
  const file = opened(new NamedFile(at("x"), "number"), [[0, 6]]);
  await file.writeAt(4, Buffer.from("e"));
  await file.writeAt(0, Buffer.from("ab"));
  file.save([
    [2, 4],
    [5, 6],
  ]);
  expect(await file.keep()).toBe(3);
}

test("octets come in any order, and the note says what is missing", async () => {
  const file = opened(new NamedFile(at("x"), "number"), [[0, 6]]);
  expect(segments()).toEqual([[0, 6]]);
  await file.writeAt(3, Buffer.from("def"));
  await file.writeAt(0, Buffer.from("ab"));
  file.save([[2, 3]]);
  expect(segments()).toEqual([[2, 3]]);
  await file.writeAt(2, Buffer.from("c"));
  await file.publish(undefined);
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
  expect(file.partial()).toEqual({ octets: 3, missing, document });
  opened(file, missing);
  await file.writeAt(2, Buffer.from("cd"));
  await file.writeAt(5, Buffer.from("f"));
  await file.publish(undefined);
  expect(text("x")).toBe("abcdef");
});

test("nothing is known of pieces whose file was cut since", async () => {
  await leavePieces();
  fs.truncateSync(at("x.ftpull/data"), 4);
  const file = new NamedFile(at("x"), "continue");
  expect(file.partial()).toEqual({ octets: 4, document: undefined });
});

test.each([
  ["not of the document", [[5, 7]]],
  ["no gaps", "all of it"],
])("nothing is known of pieces whose resume state is %s", async (_, spoilt) => {
  await leavePieces();
  fs.writeFileSync(at("x.ftpull/state.json"), JSON.stringify({ ...document, missing: spoilt }));
  const file = new NamedFile(at("x"), "continue");
  expect(file.partial()?.document).toBeUndefined();
});

test("a file that was given its length, and no octet, is nothing", async () => {
  leavePart(at("x"), Buffer.alloc(6), { ...document, missing: [[0, 6]] });
  expect(new NamedFile(at("x"), "continue").partial()).toBeUndefined();
});

test.each([
  ["a beginning", "x.ftpull"],
  ["the file of a program that writes in place", "x"],
])("%s goes on in any order", async (_, name) => {
  if (name === "x") fs.writeFileSync(at(name), "abc");
  else leavePart(at("x"), "abc", document);
  const file = new NamedFile(at("x"), "continue");
  expect(file.partial()?.octets).toBe(3);
  opened(file, [[3, 6]]);
  expect(segments()).toEqual([[3, 6]]);
  await file.writeAt(5, Buffer.from("f"));
  await file.writeAt(3, Buffer.from("de"));
  if (name === "x") expect(text("x")).toBe("abc");
  await file.publish(undefined);
  expect(text("x")).toBe("abcdef");
  expect(names()).toEqual(["x"]);
});

test("one that began in order goes on in any order", async () => {
  const file = new NamedFile(at("x"), "number");
  file.open(document, [[0, 6]]);
  await file.writeAt(0, Buffer.from("ab"));
  expect(file.partial()?.octets).toBe(2);
  opened(file, [[2, 6]]);
  await file.writeAt(4, Buffer.from("ef"));
  await file.writeAt(2, Buffer.from("cd"));
  await file.publish(undefined);
  expect(text("x")).toBe("abcdef");
});

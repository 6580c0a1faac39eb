import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { expect, test } from "vitest";
import { claimFolder } from "../../../src/files/claims.ts";
import { missingBehind } from "../../../src/files/gaps.ts";
import { NamedFile } from "../../../src/files/part/named-file.ts";
import { PartFolder } from "../../../src/files/part/part-folder.ts";
import { beforeCall } from "../../support/before-call.ts";
import { leavePart } from "../../support/part.ts";
import { at, names, ownDirectory, put, text } from "../../support/own-directory.ts";

const small = { url: "ftp://h/x", size: 6, modified: new Date("2001-02-03T04:05:06Z") };

ownDirectory();

const from = (octets: number) => missingBehind(octets, small.size);

function held(name: string, replace = false): NamedFile {
  return new NamedFile(at(name), replace ? "replace" : "number");
}

async function begun(file: NamedFile, document = small): Promise<NamedFile> {
  file.open(document, missingBehind(0, document.size));
  const chunk = Buffer.from("abc");
  await file.writeAt(0, chunk);
  chunk.fill("-"); // as the next read does
  return file;
}

/** The name that it gets. */
async function published(file: NamedFile, modified?: Date): Promise<string> {
  await file.publish(modified);
  return file.label;
}

test("a small document is nowhere until it is whole, then it has its name and time", async () => {
  const file = await begun(held("x"));
  expect(names()).toEqual([]);
  await file.writeAt(3, Buffer.from("def"));
  expect(await published(file, small.modified)).toBe(at("x"));
  expect(names()).toEqual(["x"]);
  expect(text("x")).toBe("abcdef");
  expect(fs.statSync(at("x")).mtime).toEqual(small.modified);
});

test("a large one, and one of unknown size, is partial from the first octet on", async () => {
  await begun(held("x"), { ...small, size: 65_537 });
  expect(text("x.ftpull/data")).toBe("abc");
  await begun(held("y"), { ...small, size: undefined as never });
  expect(text("y.ftpull/data")).toBe("abc");
});

test.runIf(process.platform === "linux")(
  "a FIFO that came to be in place of the file to replace stays there",
  async () => {
    put("x", "old");
    const file = await begun(held("x", true));
    await file.writeAt(3, Buffer.from("def"));
    fs.rmSync(at("x"));
    execFileSync("mkfifo", [at("x")]);
    await expect(file.publish(undefined)).rejects.toThrow("it is not a regular file");
    expect(fs.lstatSync(at("x")).isFIFO()).toBe(true);
  },
);

test("what arrived of a small document is kept when it is given up", async () => {
  const file = await begun(held("x"));
  expect(await file.keep()).toBe(3);
  expect(names()).toEqual(["x.ftpull"]);
  expect(text("x.ftpull/data")).toBe("abc");
});

test("another try builds on what arrived", async () => {
  const file = await begun(held("x"));
  expect(file.partial()).toEqual({ octets: 3, document: small });
  file.open(small, from(3));
  await file.writeAt(3, Buffer.from("def"));
  await file.publish(undefined);
  expect(text("x")).toBe("abcdef");
  expect(names()).toEqual(["x"]);
});

test("nothing is left of one that is discarded", async () => {
  const file = await begun(held("x"));
  await file.discard();
  expect(names()).toEqual([]);
});

test("two at once get two names", async () => {
  const [one, other] = [await begun(held("x")), await begun(held("x"))];
  expect([one.label, other.label]).toEqual([at("x"), at("x.1")]);
  expect(await published(other)).toBe(at("x.1"));
  expect(await published(one)).toBe(at("x"));
});

test("a name that came to be meanwhile isn't replaced, nor one that another writes to taken", async () => {
  const file = await begun(held("x"));
  put("x", "theirs");
  PartFolder.reserve(at("x.1"));
  expect(await published(file)).toBe(at("x.2"));
});

test("a file that is replaced keeps its permissions, and a link to it stays", async () => {
  put("x", "old");
  fs.chmodSync(at("x"), 0o666);
  fs.symlinkSync("x", at("link"));
  await (await begun(held("link", true))).publish(undefined);
  expect(text("x")).toBe("abc");
  expect(fs.statSync(at("x")).mode & 0o777).toBe(0o666);
  expect(fs.lstatSync(at("link")).isSymbolicLink()).toBe(true);
});

test("a link to an open file's descriptor is no file that can be replaced", () => {
  const fd = fs.openSync(at("open"), "w");
  fs.symlinkSync(`/dev/fd/${fd}`, at("link"));
  expect(() => held("link", true).open(small, from(0))).toThrow("it is not a regular file");
  fs.closeSync(fd);
});

test.each([false, true])("what an earlier run left goes with the document", async (replaces) => {
  leavePart(at("x"), "old", small);
  if (replaces) put("x", "old");
  await (await begun(held("x", replaces))).publish(undefined);
  expect(names()).toEqual(["x"]);
  expect(text("x")).toBe("abc");
});

test("a name of 240 octets that exists gets a number", async () => {
  const name = "a".repeat(240);
  put(name, "theirs");
  expect(await published(await begun(held(name)))).toBe(at(`${name}.1`));
  const large = await begun(held(name), { ...small, size: 100_000 });
  expect(await published(large)).toBe(at(`${name}.2`));
  expect(names()).toEqual([name, `${name}.1`, `${name}.2`]);
});

test("a directory that is missing is made, and one that can't be is an error", async () => {
  expect(await published(await begun(held("a/b/x")))).toBe(at("a/b/x"));
  put("file", "");
  const file = await begun(held("x", true));
  await file.discard();
  const below = held("file/x");
  expect(() => below.open(small, from(0))).toThrow(/cannot write/);
});

test("a directory that becomes a link just before the temporary file is made gets no file behind the link", async () => {
  for (const name of ["top", "top/d", "outside"]) fs.mkdirSync(at(name));
  claimFolder(at("top/d"), at("top"), true);
  const file = await begun(held("top/d/x", true));
  beforeCall("openSync", ".ftpull-", () => {
    fs.renameSync(at("top/d"), at("top/old"));
    fs.symlinkSync(at("outside"), at("top/d"));
  });
  await expect(file.publish(undefined)).rejects.toThrow("a symbolic link leads out of");
  expect(fs.readdirSync(at("outside"))).toEqual([]);
});

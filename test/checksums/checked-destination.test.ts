import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { beforeEach, describe, expect, test } from "vitest";
import { CheckedDestination } from "../../src/checksums/checked-destination.ts";
import type { Checksum, ChecksumAlgorithm } from "../../src/checksums/checksum.ts";
import { standardOutput } from "../../src/files/output/document-output.ts";
import { SharedFile } from "../../src/files/output/shared-file.ts";
import { type Collision, NamedFile } from "../../src/files/part/named-file.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const document = { url: "ftp://h/x", size: 6, modified: undefined };

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
});

const at = (name: string) => join(directory, name);
const names = () => fs.readdirSync(directory).toSorted();
/** What an earlier run has stored. */
function leave(octets: string | Buffer): void {
  fs.writeFileSync(at("x.part"), octets);
  const note = { ...document, modified: null, segments: null };
  fs.writeFileSync(at("x.part.json"), JSON.stringify(note));
}
const text = (name: string) => fs.readFileSync(at(name), "latin1");

function checksumOf(octets: string | Buffer, algorithm: ChecksumAlgorithm = "sha256"): Checksum {
  return { algorithm, hex: createHash(algorithm).update(octets).digest("hex") };
}

function checked(octets: string | Buffer, collision: Collision = "replace"): CheckedDestination {
  return new CheckedDestination(new NamedFile(at("x"), collision), [checksumOf(octets)]);
}

async function fill(to: CheckedDestination, offset: number, ...chunks: string[]): Promise<void> {
  to.begin(document, offset);
  for (const chunk of chunks) await to.write(Buffer.from(chunk));
}

describe("a document with its checksum", () => {
  test.each(["md5", "sha1", "sha256", "sha512"] as const)("gets its name: %s", async (one) => {
    const file = new CheckedDestination(new NamedFile(at("x"), "number"), [
      checksumOf("abcdef", one),
    ]);
    await fill(file, 0, "abc", "def");
    expect(await file.finish(undefined)).toBe(at("x"));
  });

  test("has all of several", async () => {
    const expected = [checksumOf("abc", "md5"), checksumOf("abc"), checksumOf("abd", "sha1")];
    const file = new CheckedDestination(new NamedFile(at("x"), "number"), expected);
    await fill(file, 0, "abc");
    const sha1 = checksumOf("abc", "sha1").hex;
    await expect(file.finish(undefined)).rejects.toThrow(
      `expected sha1 ${expected[2]?.hex}, found ${sha1}`,
    );
  });

  test("is empty", async () => {
    const file = checked("");
    await fill(file, 0);
    await file.finish(undefined);
    expect(text("x")).toBe("");
  });

  test("gets it after beginning again at 0", async () => {
    const file = checked("uvwxyz");
    await fill(file, 0, "abc");
    await fill(file, 0, "uvw", "xyz");
    await file.finish(undefined);
    expect(text("x")).toBe("uvwxyz");
  });

  test("gets it after being thrown away and beginning again", async () => {
    const file = checked("uvwxyz");
    await fill(file, 0, "abc");
    await file.discard();
    await fill(file, 0, "uvwxyz");
    await file.finish(undefined);
    expect(text("x")).toBe("uvwxyz");
  });

  test("doesn't read again what this run has stored", async () => {
    const file = checked("abcdef");
    await fill(file, 0, "abc");
    fs.writeFileSync(at("x.part"), "ABC");
    await fill(file, 3, "def");
    await file.finish(undefined);
    expect(names()).toEqual(["x"]);
  });

  test("reads what an earlier run has stored, which may be large", async () => {
    const begun = Buffer.alloc(3_000_000, "abc");
    leave(begun);
    const file = checked(Buffer.concat([begun, Buffer.from("def")]), "continue");
    await fill(file, begun.length, "d", "ef");
    await file.finish(undefined);
    expect(fs.statSync(at("x")).size).toBe(3_000_003);
  });

  test("is all there from an earlier run", async () => {
    leave("abcdef");
    const file = checked("abcdef", "continue");
    await fill(file, 6, "");
    await file.finish(undefined);
    expect(names()).toEqual(["x"]);
  });

  test("continues a file that another program has begun in place", async () => {
    fs.writeFileSync(at("x"), "abc");
    const file = checked("abcdef", "continue");
    await fill(file, 3, "def");
    await file.finish(undefined);
    expect(text("x")).toBe("abcdef");
  });

  test("reads no further when an earlier place in the document is gone back to", async () => {
    const file = checked("abcXYZ");
    await fill(file, 0, "abcdef");
    await fill(file, 3, "XYZ");
    await file.finish(undefined);
    expect(text("x")).toBe("abcXYZ");
  });
});

describe("a document with another checksum", () => {
  test("doesn't get its name, and what arrived is removed", async () => {
    fs.writeFileSync(at("x"), "old");
    const file = checked("abcdef");
    await fill(file, 0, "abcdeX");
    await expect(file.finish(undefined)).rejects.toMatchObject({
      kind: "integrity",
      transient: false,
      message:
        `expected sha256 ${checksumOf("abcdef").hex}, found ${checksumOf("abcdeX").hex}: ` +
        "what arrived is removed",
    });
    await file.close();
    expect(names()).toEqual(["x"]);
    expect(text("x")).toBe("old");
  });

  test("of which an earlier run has stored other octets is removed", async () => {
    leave("abX");
    const file = checked("abcdef", "continue");
    await fill(file, 3, "def");
    await expect(file.finish(undefined)).rejects.toMatchObject({ kind: "integrity" });
    expect(names()).toEqual([]);
  });

  test("is on standard output already", async () => {
    const stdout = new PassThrough();
    const output = new CheckedDestination(
      standardOutput(() => stdout),
      [checksumOf("abc")],
    );
    await fill(output, 0, "abX");
    await expect(output.finish(undefined)).rejects.toThrow(/: it is on standard output already$/);
    expect(stdout.read()).toEqual(Buffer.from("abX"));
  });

  test("isn't among those of a file for several", async () => {
    const shared = new SharedFile(at("x"), "replace");
    const [one, two, three] = ["abc", "def", "ghi"].map(
      (octets) => new CheckedDestination(shared, [checksumOf(octets)]),
    );
    await fill(one!, 0, "abc");
    await one!.finish(undefined);
    await fill(two!, 0, "d", "eX");
    await expect(two!.finish(undefined)).rejects.toMatchObject({ kind: "integrity" });
    await fill(three!, 0, "g");
    await fill(three!, 1, "hi");
    await three!.finish(undefined);
    await shared.conclude();
    expect(text("x")).toBe("abcghi");
  });
});

test("a document that goes on on standard output is hashed as a whole", async () => {
  const output = new CheckedDestination(
    standardOutput(() => new PassThrough()),
    [checksumOf("abcdef")],
  );
  await fill(output, 0, "abc");
  await fill(output, 3, "def");
  expect(await output.finish(undefined)).toBe("standard output");
});

test("a document that is given up while its beginning is read writes nothing more", async () => {
  const begun = Buffer.alloc(5_000_000);
  leave(begun);
  const file = checked("", "continue");
  file.begin({ ...document, size: undefined }, begun.length);
  const written = file.write(Buffer.from("def"));
  await file.close();
  await expect(written).rejects.toThrow("the document was given up");
  expect(fs.statSync(at("x.part")).size).toBe(begun.length);
  expect(names()).toEqual(["x.part", "x.part.json"]);
});

test("a beginning that has become shorter is an error", async () => {
  leave("ab");
  const file = checked("abcdef", "continue");
  await expect(fill(file, 3, "def")).rejects.toMatchObject({
    kind: "file",
    message: `cannot read the beginning of "${at("x")}": expected 3 octets, found 2`,
  });
  await file.close();
});

import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Checksum, ChecksumAlgorithm } from "../../../src/checksums/checksum.ts";
import type { Tries } from "../../../src/documents/task-tries.ts";
import { DocumentFile } from "../../../src/documents/file/document-file.ts";
import type { Download } from "../../../src/documents/file/download.ts";
import type { BeginAgain } from "../../../src/documents/retry.ts";
import { Verification } from "../../../src/documents/verify/verification.ts";
import type { Destination } from "../../../src/files/destination.ts";
import { unknownEnd, type Gap } from "../../../src/files/gaps.ts";
import { standardOutput } from "../../../src/files/output/document-output.ts";
import { SharedFile } from "../../../src/files/output/shared-file.ts";
import { NamedFile } from "../../../src/files/part/named-file.ts";
import type { Collision } from "../../../src/files/part/publish.ts";
import { leavePart } from "../../support/part.ts";
import { at, names, ownDirectory, text } from "../../support/own-directory.ts";

const document = { url: "ftp://h/x", size: undefined, modified: undefined };
const tries = { octets: 0, begin() {}, advance() {}, observer: {} } as unknown as Tries;

/** The tries of one document. */
class Verified {
  readonly destination: Destination;
  readonly #download: Download;
  #file: DocumentFile | undefined;

  constructor(destination: Destination, expected: readonly Checksum[]) {
    this.destination = destination;
    const given = { checksums: expected, source: "", label: "" };
    const verification = new Verification({ given });
    const url = {
      document: { shownUrl: document.url },
      rules: {},
      options: {},
      growth: "possible",
    };
    this.#download = { ...url, destination, verification } as unknown as Download;
  }

  /** A try that goes on at this octet. */
  async fill(offset: number, ...chunks: string[]): Promise<void> {
    const file = new DocumentFile(
      document,
      { missing: [[offset, unknownEnd]] },
      this.#download,
      tries,
    );
    const range = file.ranges.take()!;
    file.open();
    for (const chunk of chunks) {
      await file.write(range.position, Buffer.from(chunk));
      file.ranges.advance(range, chunk.length);
    }
    this.#file = file;
  }

  /** A try that brings these pieces of "abcdef", in this order. */
  async fillPieces(...pieces: Gap[]): Promise<void> {
    const sized = { ...document, size: 6 };
    const file = new DocumentFile(
      sized,
      { missing: [[0, 6]], connections: 2 },
      this.#download,
      tries,
    );
    file.open();
    for (const [start, end] of pieces)
      await file.write(start, Buffer.from("abcdef".slice(start, end)));
    for (let range; (range = file.ranges.take());) file.ranges.advance(range, 6);
    this.#file = file;
  }

  publish(): Promise<number> {
    return this.#file!.publish();
  }
}

ownDirectory();

function leave(octets: string | Buffer): void {
  leavePart(at("x"), octets, { ...document, size: 6 });
}

function checksumOf(octets: string | Buffer, algorithm: ChecksumAlgorithm = "sha256"): Checksum {
  return { algorithm, value: createHash(algorithm).update(octets).digest("hex") };
}

function checked(octets: string | Buffer, collision: Collision = "replace"): Verified {
  return new Verified(new NamedFile(at("x"), collision), [checksumOf(octets)]);
}

describe("a document with its checksum", () => {
  test.each(["md5", "sha1", "sha256", "sha512"] as const)("gets its name: %s", async (one) => {
    const file = new Verified(new NamedFile(at("x"), "number"), [checksumOf("abcdef", one)]);
    await file.fill(0, "abc", "def");
    await file.publish();
    expect(text("x")).toBe("abcdef");
  });

  test.each<[claim: string, whole: string, tries: [offset: number, ...chunks: string[]][]]>([
    ["is empty", "", [[0]]],
    ["begins again at 0", "uvwxyz", [[0, "abc"], [0, "uvw", "xyz"]]], // prettier-ignore
    ["is gone back in, to no further octet", "abcXYZ", [[0, "abcdef"], [3, "XYZ"]]], // prettier-ignore
  ])("gets its name where it %s", async (_claim, whole, tries) => {
    const file = checked(whole);
    for (const one of tries) await file.fill(...one);
    await file.publish();
    expect(text("x")).toBe(whole);
  });

  test("has all of several", async () => {
    const expected = [checksumOf("abc", "md5"), checksumOf("abc"), checksumOf("abd", "sha1")];
    const file = new Verified(new NamedFile(at("x"), "number"), expected);
    await file.fill(0, "abc");
    const sha1 = checksumOf("abc", "sha1").value;
    await expect(file.publish()).rejects.toThrow(
      `expected sha1 ${expected[2]?.value}, found ${sha1}`,
    );
  });

  test("doesn't read again what this run has stored", async () => {
    const file = checked("abcdef");
    await file.fill(0, "abc");
    fs.writeFileSync(at("x.ftpull/data"), "ABC");
    await file.fill(3, "def");
    await file.publish();
    expect(names()).toEqual(["x"]);
  });

  test("reads what an earlier run has stored, which may be large", async () => {
    const begun = Buffer.alloc(3_000_000, "abc");
    leave(begun);
    const file = checked(Buffer.concat([begun, Buffer.from("def")]), "continue");
    await file.fill(begun.length, "d", "ef");
    await file.publish();
    expect(fs.statSync(at("x")).size).toBe(3_000_003);
  });

  test("is all there from an earlier run", async () => {
    leave("abcdef");
    const file = checked("abcdef", "continue");
    await file.fill(6, "");
    await file.publish();
    expect(names()).toEqual(["x"]);
  });

  test("continues a file that another program has begun in place", async () => {
    fs.writeFileSync(at("x"), "abc");
    const file = checked("abcdef", "continue");
    file.destination.partial();
    await file.fill(3, "def");
    await file.publish();
    expect(text("x")).toBe("abcdef");
  });
});

describe("a document with another checksum", () => {
  test("of which an earlier run has stored other octets begins again without them", async () => {
    leave("abX");
    const file = checked("abcdef", "continue");
    await file.fill(3, "def");
    const again = expect.objectContaining({ kind: "integrity", keepsOctets: false }) as BeginAgain;
    await expect(file.publish()).rejects.toThrow(again);
  });

  test("isn't among those of a file for several", async () => {
    const shared = new SharedFile(at("x"));
    const [one, two, three] = ["abc", "def", "ghi"].map(
      (octets) => new Verified(shared, [checksumOf(octets)]),
    );
    await one!.fill(0, "abc");
    await one!.publish();
    await two!.fill(0, "d", "eX");
    await expect(two!.publish()).rejects.toMatchObject({ kind: "integrity" });
    await three!.fill(0, "g");
    await three!.fill(1, "hi");
    await three!.publish();
    await shared.conclude();
    expect(text("x")).toBe("abcghi");
  });
});

test("a document that goes on on standard output is hashed as a whole", async () => {
  const output = new Verified(
    standardOutput(() => new PassThrough()),
    [checksumOf("abcdef")],
  );
  await output.fill(0, "abc");
  await output.fill(3, "def");
  await output.publish();
});

test("octets that come in any order are hashed where they are stored", async () => {
  for (const wanted of ["abcdef", "abcdeX"]) {
    const file = checked(wanted);
    await file.fillPieces([3, 6], [0, 3]);
    if (wanted === "abcdef") await file.publish();
    else await expect(file.publish()).rejects.toThrow(/: what arrived is removed$/);
  }
  expect(text("x")).toBe("abcdef");
});

test("pieces that a try has brought in order are hashed as they come, the others are read", async () => {
  const file = checked("abcdef");
  await file.fillPieces([0, 3], [3, 6]);
  fs.writeFileSync(at("x.ftpull/data"), "ABCDEF"); // none of them is read
  await file.publish();
  expect(text("x")).toBe("ABCDEF");
});

test("of a document of unknown size that is given up nothing stays: no run can resume it", async () => {
  leave(Buffer.alloc(5_000_000));
  const file = checked("", "continue");
  await file.fill(5_000_000, "def");
  expect(await file.destination.keep()).toBe(0);
  expect(names()).toEqual([]);
});

test("a document of which octets are gone when it is read is an error", async () => {
  leave("abc");
  const file = checked("abcdef", "continue");
  await file.fill(3, "def");
  fs.truncateSync(at("x.ftpull/data"), 2);
  await expect(file.publish()).rejects.toMatchObject({
    kind: "file",
    message: `cannot read "${at("x")}": expected 6 octets, found 2`,
  });
  await file.destination.keep();
});

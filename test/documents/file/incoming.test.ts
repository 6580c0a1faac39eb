/** A file as it arrives: its bytes and checksums over several tries, in order and in blocks. */
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { describe, expect, test } from "vitest";
import type { Checksum } from "../../../src/checksums/checksum.ts";
import type { Download } from "../../../src/documents/file/download.ts";
import { FileTry } from "../../../src/documents/file/file-try.ts";
import { Incoming } from "../../../src/documents/file/incoming.ts";
import type { Tries } from "../../../src/documents/task-tries.ts";
import { Verifier } from "../../../src/documents/verify/verifier.ts";
import type { Destination } from "../../../src/files/destination.ts";
import { NamedFile } from "../../../src/files/part/named-file.ts";
import { existing } from "../../support/existing.ts";
import { generatedOctets } from "../../support/generated.ts";
import { at, names, ownDirectory, text } from "../../support/own-directory.ts";

const size = 200_000;
const whole = generatedOctets(1, 0, size);
const modified = new Date(0);
const version = { url: "ftp://h/x", size, modified };
const tries = { begin() {}, advance() {}, say() {}, observer: {} } as unknown as Tries;

ownDirectory();

function checksumOf(octets: Buffer): Checksum {
  return { algorithm: "sha256", value: createHash("sha256").update(octets).digest("hex") };
}

const named = (): NamedFile => new NamedFile(at("x"), existing.newer);

/** The tries of one file. */
function triesOf(checksums: readonly Checksum[] = [], destination: Destination = named()) {
  const verifier = new Verifier({ checksums, source: "", label: "" });
  const destinationFor = () => destination;
  const rules = { destinationFor, segments: 1, keepsTime: true, ebcdicEncoding: "cp037" };
  const document = { shownUrl: version.url };
  const given = { document, rules, verifier, isInTree: false };
  const file = new Incoming(given as unknown as Download);
  const facts = { size, modified, source: "server" } as const;
  const begin = (offset: number, isInOrder = true): FileTry => {
    file.choose(version);
    const beginning = { does: "go on", offset } as const;
    const connections = isInOrder ? 1 : 2;
    return new FileTry(file, { facts, version, beginning, connections, tries });
  };
  /** A try in which these bytes come, and none before. */
  const fill = async (start: number, end: number, octets = whole): Promise<FileTry> => {
    const attempt = begin(start);
    for (let from = start; from < end; from += 70_000) {
      const chunk = octets.subarray(from, Math.min(end, from + 70_000));
      await attempt.write(from, chunk);
      attempt.advance(chunk.length);
    }
    return attempt;
  };
  return { file, begin, fill };
}

describe("a file with its checksum gets its name", () => {
  test.each<[claim: string, parts: [start: number, end: number][]]>([
    ["that goes on where the try before ended", [[0, 100_000], [100_000, size]]], // prettier-ignore
    ["that goes back a little", [[0, 150_000], [100_000, size]]], // prettier-ignore
    ["that begins again", [[0, 150_000], [0, size]]], // prettier-ignore
  ])("%s", async (_claim, parts) => {
    const { fill } = triesOf([checksumOf(whole)]);
    let last: FileTry | undefined;
    for (const [start, end] of parts) last = await fill(start, end);
    await last!.publish();
    expect(names()).toEqual(["x"]);
    expect(fs.readFileSync(at("x")).equals(whole)).toBe(true);
  });
});

describe("blocks that come at once", () => {
  const border = 100_000;
  const bring = async (second: Buffer) => {
    const blocks = triesOf([checksumOf(whole)]).begin(0, false);
    blocks.compare(border - 4096, second.subarray(border - 4096, border));
    await blocks.write(border, second.subarray(border));
    await blocks.write(0, whole.subarray(0, border));
    blocks.advance(size);
    return blocks;
  };

  test("are stored where they belong, and hashed there", async () => {
    const blocks = await bring(whole);
    blocks.cut(size);
    await blocks.publish();
    expect(fs.readFileSync(at("x")).equals(whole)).toBe(true);
  });

  test("and don't fit together are no file", async () => {
    const other = Buffer.from(whole);
    other[border - 1]! ^= 1;
    const blocks = await bring(other);
    expect(() => blocks.cut(border - 4096)).not.toThrow();
    expect(() => blocks.cut(border)).toThrow("don't fit together");
  });

  test("are cut to what is stored without a gap, which a later run goes on with", async () => {
    const blocks = await bring(whole);
    expect(text("x.ftpull.json")).not.toContain("modified");
    blocks.cut(border);
    expect(fs.statSync(at("x.ftpull")).size).toBe(border);
    expect(text("x.ftpull.json")).toContain("modified");
  });
});

test("what is begun again is dropped when data comes, not before", async () => {
  const { file, fill } = triesOf();
  await fill(0, 100_000);
  expect(file.beginAgain()).toBe(true);
  expect([file.choose(version), fs.statSync(at("x.ftpull")).size]).toEqual([undefined, 100_000]);
  await fill(0, 70_000);
  expect(fs.statSync(at("x.ftpull")).size).toBe(70_000);
  expect([file.resumed, file.mostConnections]).toEqual([0, 1]);
});

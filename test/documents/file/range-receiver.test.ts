/** What a range takes from its connection: where the octets go, and which are compared. */
import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Tries } from "../../../src/documents/task-tries.ts";
import { DocumentFile } from "../../../src/documents/file/document-file.ts";
import { overlapSize, RangeReceiver } from "../../../src/documents/file/range-receiver.ts";
import type { Download } from "../../../src/documents/file/download.ts";
import { BeginAgain } from "../../../src/documents/retry.ts";
import { Verification } from "../../../src/documents/verify/verification.ts";
import type { Gap } from "../../../src/files/gaps.ts";
import { NamedFile } from "../../../src/files/part/named-file.ts";
import { StopReading } from "../../../src/ftp/data/data-connection.ts";
import { generatedOctets } from "../../support/generated.ts";
import { leavePart } from "../../support/part.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const mebibyte = 1024 * 1024;
const size = 4 * mebibyte;
const whole = generatedOctets(1, 0, size);
const document = { url: "ftp://h/x", size, modified: new Date(0) };
const tries = { octets: 0, begin() {}, advance() {}, observer: {} } as unknown as Tries;

let path: string;
let destination: NamedFile;
beforeEach(async () => {
  path = join(await temporaryDirectory(), "x");
  destination = new NamedFile(path, "number");
});

/** The document's file, of which these are missing; without `connections` its octets come in order. */
function fileOf(missing: readonly Gap[], connections?: number): DocumentFile {
  const options = connections === undefined ? {} : { connections };
  return new DocumentFile(document, { missing, ...options }, download(), tries);
}

function download(): Download {
  const verification = new Verification({});
  const url = { document: { shownUrl: document.url }, rules: {}, options: {}, growth: "possible" };
  return { ...url, destination, verification } as unknown as Download;
}

const next = (file: DocumentFile) => new RangeReceiver(file, file.ranges.take()!);

/** Hands over the document's octets from where the server has to begin, up to `end`. */
const send = async (receiver: RangeReceiver, end: number, octets = whole): Promise<void> =>
  receiver.take(octets.subarray(receiver.offset, end));

test("a document in one range arrives in order, and gets its name", async () => {
  const file = fileOf([[0, size]]);
  const receiver = next(file);
  for (let at = 0; at < size; at += mebibyte)
    await receiver.take(whole.subarray(at, at + mebibyte));
  await file.publish();
  expect(fs.readFileSync(path).equals(whole)).toBe(true);
});

describe("ranges that come at once", () => {
  test("are written where they belong, and each but the last ends at its end", async () => {
    const file = fileOf([[0, size]], 2);
    const [first, second] = [next(file), next(file)];
    expect([first.offset, second.offset]).toEqual([0, 2 * mebibyte - overlapSize]);
    await send(second, size);
    await expect(send(first, size)).rejects.toThrow(StopReading);
    await file.publish();
    expect(fs.readFileSync(path).equals(whole)).toBe(true);
  });

  test("go on into what is free behind them", async () => {
    const file = fileOf([[0, size]], 2);
    const first = next(file);
    await send(first, size);
    expect(file.ranges.left).toBe(0);
    await file.publish();
    expect(fs.readFileSync(path).equals(whole)).toBe(true);
  });

  test("that don't fit together are no document: known when the octets before one have come", async () => {
    const file = fileOf([[0, size]], 2);
    const [first, second] = [next(file), next(file)];
    const other = Buffer.from(whole);
    other.fill(0, 2 * mebibyte - 1, 2 * mebibyte);
    await send(second, size, other);
    await expect(send(first, 2 * mebibyte)).rejects.toThrow(StopReading);
    await expect(file.publish()).rejects.toThrow("the pieces of the document don't fit together");
    expect(fs.existsSync(path)).toBe(false);
  });

  test("that don't fit together are known at once where the octets before one are there", async () => {
    const file = fileOf([[0, size]], 2);
    const [first, second] = [next(file), next(file)];
    await expect(send(first, 2 * mebibyte)).rejects.toThrow(StopReading);
    const shifted = whole.subarray(1);
    await expect(send(second, size, shifted)).rejects.toThrow(BeginAgain);
  });
});

test.each([
  ["before the next one's", 0],
  ["after the next one's first", mebibyte],
])("octets whose connection broke, written %s, are where they belong", async (_, first) => {
  const file = fileOf([[0, size]], 2);
  const range = file.ranges.take()!;
  const broken = new RangeReceiver(file, range);
  let endWrite = (): void => undefined;
  destination.writeAt = (position, chunk) => {
    void NamedFile.prototype.writeAt.call(destination, position, chunk);
    return new Promise((resolve) => (endWrite = resolve));
  };
  const late = broken.take(whole.subarray(0, 1000));
  delete (destination as Partial<NamedFile>).writeAt;
  file.ranges.release(range);
  const again = next(file);
  await again.take(whole.subarray(0, first));
  endWrite();
  await late;
  expect(file.ranges.missing[0]![0]).toBe(Math.max(1000, first));
  await again.take(whole.subarray(first));
  await file.publish();
  expect(fs.readFileSync(path).equals(whole)).toBe(true);
});

describe("octets before the range, as they come,", () => {
  test.each([
    [["abcdef"], ["abcdef"]],
    [["abcdefgh"], ["abcdefgh"]],
    [["abc", "defg", "h"], ["abcdef", "abcdefg", "abcdefgh"]], // prettier-ignore
    [["abX"], ["other octets"]],
    [["abc", "dXf"], ["abcdef", "other octets"]], // prettier-ignore
  ])("are compared, and the others stored: %j leaves %j", async (chunks, stored) => {
    leavePart(path, "abcdef", { ...document, size: 8 });
    destination = new NamedFile(path, "continue");
    const missing: Gap[] = [[6, 8]];
    const sized = { ...document, size: 8 };
    const receiver = next(new DocumentFile(sized, { missing }, download(), tries));
    const seen: string[] = [];
    for (const chunk of chunks) {
      try {
        await receiver.take(Buffer.from(chunk));
        seen.push(fs.readFileSync(`${path}.ftpull/data`, "latin1"));
      } catch (error) {
        if (!(error instanceof BeginAgain)) throw error;
        seen.push("other octets");
      }
    }
    expect(seen).toEqual(stored);
    expect(receiver.isCompared).toBe(!stored.includes("other octets"));
  });
});

describe("a server that sends more than the document's size", () => {
  test("from its beginning, where it may grow, is stopped at that size", async () => {
    const receiver = next(fileOf([[0, size]]));
    const more = Buffer.concat([whole, Buffer.from("more")]);
    await expect((async () => receiver.take(more))()).rejects.toThrow(StopReading);
    expect(receiver.hasOctetsBehindEnd).toBe(true);
    expect(fs.readFileSync(`${path}.ftpull/data`).equals(whole)).toBe(true);
  });

  test.each<[claim: string, missing: Gap, connections: number | undefined, message: string]>([
    ["from an offset", [mebibyte, size], undefined, `the server sent more than ${size} octets`],
    ["in pieces", [0, size], 1, `the server sent more than ${size} octets`],
  ])("%s is found out, and none of that is written", async (_, missing, connections, message) => {
    if (missing[0] > 0) {
      await send(next(fileOf([[0, size]])), missing[0]);
    }
    const receiver = next(fileOf([missing], connections));
    const more = Buffer.concat([whole.subarray(receiver.offset), Buffer.from("more")]);
    expect(() => receiver.take(more)).toThrow(message);
    expect(fs.existsSync(`${path}.ftpull/data`) ? fs.statSync(`${path}.ftpull/data`).size : 0).toBe(
      missing[0],
    );
  });
});

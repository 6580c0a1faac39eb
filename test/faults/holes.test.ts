/**
 * -c with a partial file that has a hole: another program gave it its length, or a power failure
 * took octets away. No note tells of that, and the overlap at the end doesn't show it.
 */
import * as fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Gap } from "../../src/files/gaps.ts";
import { generatedOctets } from "../support/generated.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const mebibyte = 2 ** 20;
const size = 6 * mebibyte;
const content = generatedOctets(1, 0, size);
const modified = new Date("2020-02-29T12:34:56Z");
const overlap = 4096;

/** A partial file of so many octets of the document, of which those in a hole were never written. */
function leavePartial(cwd: string, url: string, octets: number, segments: Gap[] | null): void {
  const hole: Gap = [2.5 * mebibyte, 2.5 * mebibyte + 8192];
  const fd = fs.openSync(join(cwd, "x.part"), "wx");
  fs.ftruncateSync(fd, octets);
  fs.writeSync(fd, content, 0, hole[0], 0);
  fs.writeSync(fd, content, hole[1], octets - hole[1], hole[1]);
  fs.closeSync(fd);
  fs.writeFileSync(join(cwd, "x.part.json"), JSON.stringify({ url, size, modified, segments }));
}

const inHole = `REST ${2 * mebibyte - overlap}`;

it.each<[claim: string, octets: number, segments: Gap[] | null, restarts: string[]]>([
  ["a beginning", 5 * mebibyte, null, [inHole, `REST ${5 * mebibyte - overlap}`]],
  ["all octets in order", size, null, [inHole]],
  ["pieces", size, [[4 * mebibyte, 5 * mebibyte]], [inHole, `REST ${4 * mebibyte - overlap}`]],
  ["all pieces, which no run ever notes", size, [], []],
])("its note tells of %s", async (_, octets, segments, restarts) => {
  const cwd = await temporaryDirectory();
  const server = await startServer({ files: { x: { content, modified } } });
  leavePartial(cwd, server.url("/x"), octets, segments);
  const { status, stderr } = await run(["-c", "--progress", "none", server.url("/x")], { cwd });
  expect(status, stderr).toBe(0);
  expect(fs.readFileSync(join(cwd, "x")).equals(content)).toBe(true);
  expect(fs.readdirSync(cwd)).toEqual(["x"]);
  expect(server.commands.filter((line) => line.startsWith("REST"))).toEqual(restarts);
});

it("zeros of the document are fetched again, once, where the file is sparse", async () => {
  const cwd = await temporaryDirectory();
  const zeros = Buffer.from(content).fill(0, 2 * mebibyte, 3 * mebibyte);
  const server = await startServer({ files: { x: { content: zeros, modified } } });
  const url = server.url("/x");
  fs.writeFileSync(join(cwd, "x.part"), zeros.subarray(0, 2 * mebibyte));
  fs.truncateSync(join(cwd, "x.part"), 3 * mebibyte);
  const note = { url, size, modified, segments: null };
  fs.writeFileSync(join(cwd, "x.part.json"), JSON.stringify(note));
  const { status, stderr } = await run(["-c", "--progress", "none", url], { cwd });
  expect(status, stderr).toBe(0);
  expect(fs.readFileSync(join(cwd, "x")).equals(zeros)).toBe(true);
  expect(server.commands.filter((line) => line.startsWith("REST"))).toEqual([inHole]);
});

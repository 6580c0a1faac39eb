/** Lines that the tests of other programs have: each is right, names nothing, or is refused for a known reason. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listingParser, type ListingCommand } from "../../src/listing/parse-listing.ts";

const now = new Date("2026-11-30T12:00:00Z");
const corpus = readFileSync(new URL("corpus/lines.tsv", import.meta.url), "latin1");

/** The rows of each source, without the introduction. */
const sources = corpus
  .split("\n\n# ")
  .slice(1)
  .map((section) => section.trim().split("\n"))
  .map(([source = "", ...rows]) => [source, rows.map((row) => row.split("\t"))] as const);

/** Formats that aren't read, and lines that are no entry of any. */
const reasons = new Set(
  (
    "Connect:Enterprise,EPLF,HP NonStop,MVS,NetWare,Nortel,OS-9,OS/2,OS/400,SuperTCP,VMS,VShell,dls,z/VM," +
    "a date without a time,a mode cut short,a mode in octal,a name with CR,a name with LF,a size in units," +
    "a size with separators,another date,damaged,message,no date or no name,no name"
  ).split(","),
);

function octets(field: string): string {
  return field.replace(/\\(\\|x[0-9a-f]{2})/g, (_, code: string) =>
    code === "\\" ? code : String.fromCharCode(parseInt(code.slice(1), 16)),
  );
}

/** A line by itself, as the row has it. */
function read(command: string, line: string): readonly string[] {
  const entry = listingParser(command as ListingCommand, now)(line);
  if (entry === undefined || entry.type === "itself") return ["none"];
  if (entry.type === "unread") return ["unread"];
  const { type, name, size, modified, precision, target = "" } = entry;
  const length = { exact: 19, minute: 16, day: 10 }[precision];
  const time = modified?.toISOString().slice(0, length);
  return [type, name, String(size ?? ""), time ?? "", target];
}

test.each(sources)("P9 a line of a listing in the tests of %s", (_source, rows) => {
  for (const [command = "", ...fields] of rows) {
    const [line = "", ...meant] = fields.reverse().map(octets);
    if (meant.at(-1) === "unread") expect(reasons).toContain(meant.shift());
    expect([line, ...read(command, line)]).toEqual([line, ...meant.reverse()]);
  }
});

test("lines that are read, that name nothing, and that are refused: none has another name", () => {
  const counts = { read: 0, none: 0, unread: 0 };
  for (const [, type = ""] of sources.flatMap(([, rows]) => rows))
    counts[type === "none" || type === "unread" ? type : "read"]++;
  expect(sources).toHaveLength(10);
  expect(counts).toEqual({ read: 211, none: 19, unread: 28 });
});

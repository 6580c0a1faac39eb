import { describe, expect, test } from "vitest";
import { TreeListing } from "../../../src/documents/tree/tree-listing.ts";
import { listingParser } from "../../../src/listing/parse-listing.ts";

const parse = listingParser("LIST", new Date("2026-11-22"));

/** Names of files; with a size behind "=", and lines that can't be read as they are. */
function listing(names: readonly string[], plain?: TreeListing): TreeListing {
  const taken = new TreeListing(
    plain ? "LIST -a" : "LIST",
    ({ name }) => !name.startsWith("no"),
    plain,
  );
  for (const text of names) {
    const [name = "", size = "1"] = text.split("=");
    const line = name.includes("?") ? name : `-rw-r--r-- 1 0 0 ${size} Nov 20 12:00 ${name}`;
    const entry = parse(line);
    if (entry !== undefined) taken.entry(entry);
  }
  return taken;
}

describe("what LIST -a shows is compared with LIST", () => {
  test.each([
    ["the same", ["a", "no", "b"], ["a", "no", "b"], true],
    ["more", ["a", "b"], [".x", "a", "c", "b"], true],
    ["in another order", ["a", "no", "b", "c"], ["c", "b", "no", "a"], true],
    ["with another size", ["a=1", "b"], ["a=2", "b"], true],
    ["a name twice", ["a", "b", "a"], ["a", "a", "b"], true],
    ["nothing", [], [], true],
    ["all but the first", ["a", "b"], ["b"], false],
    ["all but the last", ["a", "b"], ["a"], false],
    ["all but one that isn't wanted", ["a", "no"], ["a"], false],
    ["another name for one", ["a", "b"], ["a", "c"], false],
    ["a line that neither can read", ["a", "??"], ["a", "??"], true],
    ["that line elsewhere", ["a", "??"], ["??", "a"], true],
    ["a line that can't be read in place of a name", ["a", "b"], ["a", "b", "??"], false],
  ])("%s", (_claim, plain, all, isSuperset) => {
    expect(listing(all, listing(plain)).isSuperset).toBe(isSuperset);
  });

  test("its entries are those of LIST -a, in its order and with its sizes", () => {
    const all = listing(["d", "b=5", "no", "a", "c"], listing(["a", "b=4", "no", "c"]));
    expect(all.entries.map(({ name, size }) => [name, size])).toEqual([
      ["d", 1],
      ["b", 5],
      ["a", 1],
      ["c", 1],
    ]);
    expect(all.count).toBe(5);
  });

  test("those that LIST has shown take no memory again", () => {
    const plain = listing(["a", "no", "b"]);
    const { entries } = listing([".x", "a", "no", "b"], plain);
    expect(entries.slice(1).every((entry, index) => entry === plain.entries[index])).toBe(true);
  });
});

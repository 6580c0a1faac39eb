import { expect, it } from "vitest";
import { factsOfEntry, noteAnswer } from "../../../src/documents/tree/listed-facts.ts";
import type { TreeEntry } from "../../../src/documents/tree/tree-listing.ts";
import { parseReply, ReplyError } from "../../../src/ftp/control/reply.ts";
import type { Facts } from "../../../src/ftp/document-steps.ts";

const time = new Date("2020-02-02T02:02:02Z");
const seconds = time.getTime() / 1000;
const busy = new ReplyError("cannot get the time", parseReply("450 busy"));
const plan = { cwds: [], name: "x", action: "retrieve", conversion: "none" } as const;
const listed = { precision: "minute", seconds: seconds - 2 } as const;
const exact = { precision: "exact", seconds } as const;
const shown = { name: "x", type: "file", size: 5 } as const;

/** Facts as the rows have them: the size, "time" where it is known, and their source. */
function meant(facts: string): Partial<Facts> {
  const [size = "", known, source] = facts.split(" ");
  const modified = known === "time" ? time : undefined;
  return {
    size: size === "?" ? undefined : Number(size),
    modified,
    source: source as Facts["source"],
  };
}

type Row = [
  claim: string,
  Partial<TreeEntry>,
  Partial<Facts> | undefined,
  image: string,
  text: string,
];

const rows: Row[] = [
  ["LIST's size alone leaves all to be asked", listed, undefined, "5 ? listing", "? ? listing"],
  ["exact listed facts leave nothing", exact, undefined, "5 time server", "? time server"],
  ["both have to be there", { ...exact, size: undefined }, undefined, "? ? listing", "? ? listing"],
  ["MDTM alone tells of no size", listed, { modified: time }, "5 time listing", "? time server"],
  ["SIZE counts first", listed, { size: 6, modified: time }, "6 time server", "? time server"],
  ["where MDTM is refused SIZE is all there is", listed, { size: 6 }, "6 ? server", "? ? listing"],
  ["after a 4yz both are asked", listed, { size: 6, failure: busy }, "6 ? listing", "? ? listing"],
];

it.each(rows)("%s", (_claim, of, answer, image, text) => {
  const entry: TreeEntry = { ...shown, seconds: undefined, precision: "minute", ...of };
  const afterAnswer = (facts: Partial<Facts>): TreeEntry => {
    const answered = { ...entry };
    if (answer) noteAnswer(answered, { ...facts, source: "server" });
    return answered;
  };
  const inImage = factsOfEntry({ ...plan, type: "I" }, afterAnswer({ ...answer }));
  expect(inImage).toEqual(meant(image));
  // In text no size counts, and SIZE isn't asked.
  const inText = factsOfEntry({ ...plan, type: "A" }, afterAnswer({ ...answer, size: undefined }));
  expect(inText).toEqual(meant(text));
});

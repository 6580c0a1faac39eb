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

type Row = [
  claim: string,
  entry: Partial<TreeEntry>,
  answer: Partial<Facts> | undefined,
  facts: [size: number | undefined, modified: Date | undefined, source: Facts["source"]],
  asText: [modified: Date | undefined, source: Facts["source"]],
];

const rows: Row[] = [
  [
    "LIST's size alone leaves all to be asked",
    listed,
    undefined,
    [5, undefined, "listing"],
    [undefined, "listing"],
  ],
  ["exact listed facts leave nothing", exact, undefined, [5, time, "server"], [time, "server"]],
  [
    "of which both have to be there",
    { ...exact, size: undefined },
    undefined,
    [undefined, undefined, "listing"],
    [undefined, "listing"],
  ],
  [
    "MDTM alone tells of a change, but no size",
    listed,
    { modified: time },
    [5, time, "listing"],
    [time, "server"],
  ],
  [
    "SIZE's size counts in place of the listed one",
    listed,
    { size: 6, modified: time },
    [6, time, "server"],
    [time, "server"],
  ],
  [
    "where MDTM is refused SIZE is all there is",
    listed,
    { size: 6 },
    [6, undefined, "server"],
    [undefined, "listing"],
  ],
  [
    "after a 4yz both are asked again",
    listed,
    { size: 6, failure: busy },
    [6, undefined, "listing"],
    [undefined, "listing"],
  ],
];

it.each(rows)("%s", (_claim, of, answer, expected, asText) => {
  const entry: TreeEntry = { ...shown, seconds: undefined, precision: "minute", ...of };
  const afterAnswer = (facts: Partial<Facts>): TreeEntry => {
    const answered = { ...entry };
    if (answer) noteAnswer(answered, { ...facts, source: "server" });
    return answered;
  };
  const [size, modified, source] = expected;
  const inImage = factsOfEntry({ ...plan, type: "I" }, afterAnswer({ ...answer }));
  expect(inImage).toEqual({ size, modified, source });
  // In text no size counts, and SIZE isn't asked.
  const inText = factsOfEntry({ ...plan, type: "A" }, afterAnswer({ ...answer, size: undefined }));
  expect(inText).toEqual({ size: undefined, modified: asText[0], source: asText[1] });
});

/** The commands of the next file go out when the last byte of one has come, and never earlier. */
import { expect, test } from "vitest";
import { sendAtEnd } from "../../../src/ftp/data/transfers.ts";

const next = { cwds: [], name: "y", action: "retrieve", type: "I", conversion: "none" } as const;

test.each<[claim: string, octets: number, size: number | undefined, end: string, sent: number]>([
  ["all bytes that SIZE told", 2, 2, "closed", 1],
  ["fewer", 2, 3, "closed", 0],
  ["more", 3, 2, "closed", 0],
  ["a number that SIZE didn't tell", 2, undefined, "closed", 0],
  ["none, since RETR may be refused", 0, 0, "closed", 0],
  ["all of them, and a reset", 2, 2, "reset", 0],
])("behind %s", async (_claim, octets, size, end, sent) => {
  const goals: unknown[] = [];
  const runner = { sendAhead: (more: unknown) => goals.push(more) };
  const parts = { runner, control: { usable: true }, options: { active: false, capabilities: {} } };
  const ended = end === "reset" ? Promise.reject(new Error(end)) : Promise.resolve(end);
  const data = { ended, octets, hasOctets: octets > 0 };
  await sendAtEnd(parts as never, data as never, { size, next: () => next });
  expect(goals).toHaveLength(sent);
});

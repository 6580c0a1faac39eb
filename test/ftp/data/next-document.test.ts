/** The commands of the next file go out when the last byte of one has come, and never earlier. */
import { expect, test } from "vitest";
import { sendAhead } from "../../../src/ftp/data/transfer.ts";

const next = { cwds: [], name: "y", action: "retrieve", type: "I", conversion: "none" } as const;

test.each<[claim: string, octets: number, size: number | undefined, sent: number]>([
  ["all bytes that SIZE told", 2, 2, 1],
  ["fewer", 2, 3, 0],
  ["more", 3, 2, 0],
  ["a number that SIZE didn't tell", 2, undefined, 0],
  ["none, since RETR may be refused", 0, 0, 0],
])("behind %s", (_claim, octets, size, sent) => {
  const goals: unknown[] = [];
  const runner = { sendAhead: (more: unknown) => goals.push(more) };
  const parts = { runner, control: { usable: true }, options: { active: false, capabilities: {} } };
  const data = { octets, hasOctets: octets > 0 };
  sendAhead(parts as never, data as never, { size, next: () => next });
  expect(goals).toHaveLength(sent);
});

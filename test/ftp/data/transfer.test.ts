/** The end of a transfer, by the end of its data and its replies, in any order. */
import { expect, test } from "vitest";
import { FtpullError, networkError } from "../../../src/errors.ts";
import { type Exchange, misplaced } from "../../../src/ftp/control/exchanges.ts";
import { parseReply, type Reply } from "../../../src/ftp/control/reply.ts";
import type { DataConnection } from "../../../src/ftp/data/data-connection.ts";
import { dataCut, type DataEnd, dataUnclosed, enoughRead } from "../../../src/ftp/data/data-end.ts";
import { endOfTransfer } from "../../../src/ftp/data/transfer-end.ts";
import { idleClock } from "../../support/idle-clock.ts";

type End<T> = T | Error | "never";

/** How a transfer ends: the reason of what is thrown, or what the completion has. */
async function endOf(
  replies: readonly End<string>[],
  data: DataEnd | "never",
  octets: number,
): Promise<string> {
  idleClock();
  const told = replies.map((reply) => (isText(reply) ? parseReply(reply) : reply));
  const first = told[0]!;
  const exchange = {
    command: { line: "RETR x", codes: [226] },
    first: isReply(first) ? first : undefined,
    firstReply: () => settled(first),
    finalReply: (limit?: string) => {
      const last = told.at(-1)!;
      const isSilent = replies.at(-1) === "never" && limit === undefined;
      return isSilent ? Promise.reject(silence) : settled(last);
    },
  } as unknown as Exchange;
  const ended = data === "never" ? new Promise(() => {}) : Promise.resolve(data);
  const connection = { hasOctets: octets > 0, ended } as unknown as DataConnection;
  let isClosed = false;
  const dataClosed = (): void => void (isClosed = true);
  try {
    const completion = await endOfTransfer("cannot retrieve", exchange, connection, dataClosed);
    const { doubt, reply } = completion;
    return [doubt && nameOf(doubt), reply?.code].filter((part) => part !== undefined).join(", ");
  } catch (error) {
    return `throws ${nameOf(error as Error)}`;
  } finally {
    expect(isClosed).toBe(data === "closed" || data === unclosed);
  }
}

const isText = (reply: End<string>): reply is string =>
  typeof reply === "string" && reply !== "never";
const isReply = (reply: End<Reply>): reply is Reply => typeof reply === "object" && "code" in reply;

function settled<T>(end: End<T>): Promise<T> {
  if (end === "never") return new Promise(() => {});
  return end instanceof Error ? Promise.reject(end) : Promise.resolve(end as T);
}

const nameOf = (error: Error): string =>
  (error instanceof FtpullError ? error.reason : undefined) ?? error.message;

const broken = dataCut("broken");
const unclosed = dataUnclosed();
const stopped = enoughRead();
const lost = networkError("lost");
const silent = networkError("no data for 30 s");
const unreachable = networkError("unreachable", { reason: "unusable port" });
const full = new FtpullError("file", "disk full");
const nobody = misplaced("misplaced");
const silence = networkError("no reply");
const unconfirmed = "the server did not confirm the end of the transfer";

type Row = [data: DataEnd | "never", replies: End<string>[], octets: number, end: string];

test.each<Row>([
  ["closed", ["150 here", "226 done"], 4, "226"],
  ["closed", ["226 done"], 4, "226"],
  [unclosed, ["150 here", "226 done"], 4, "data unclosed, 226"],
  ["closed", ["150 here", "451 disk"], 4, "throws transfer broken off"],
  ["closed", ["150 here", "550 a directory"], 0, "throws transfer refused"],
  ["closed", ["550 no"], 0, "throws transfer refused"],
  ["closed", ["150 here", "331 what"], 4, "throws transfer broken off"],
  ["closed", ["150 here", lost], 4, "lost"],
  [unclosed, ["150 here", lost], 4, "lost"],
  ["closed", ["150 here", "never"], 4, "no reply"],
  [broken, ["150 here", "226 done"], 4, "data cut, 226"],
  [broken, ["150 here", "426 cut"], 4, "throws transfer broken off"],
  [broken, ["150 here", "425 cut"], 0, "throws transfer refused"],
  [broken, ["550 no"], 0, "throws transfer refused"],
  [broken, ["150 here", lost], 4, "throws data cut"],
  [broken, ["150 here", "never"], 4, "throws data cut"],
  [broken, ["never"], 0, "throws data cut"],
  ["never", ["550 no"], 0, "throws transfer refused"],
  ["never", ["150 here", "451 disk"], 4, "throws transfer broken off"],
  ["never", [lost], 0, "throws lost"],
  [stopped, ["150 here", "226 done"], 4, ""],
  [stopped, ["150 here", "426 cut"], 4, ""],
  [stopped, ["150 here", "never"], 4, unconfirmed],
])("data that is %s, and %j, after %i octets: %s", async (data, replies, octets, end) => {
  expect(await endOf(replies, data, octets)).toBe(end);
});

test.each<Row>([
  [full, ["150 here", "426 cut"], 4, "throws disk full"],
  [full, ["150 here", "226 done"], 4, "throws disk full"],
  [silent, ["150 here", "426 cut"], 4, "throws no data for 30 s"],
  [silent, ["150 here", "226 done"], 4, "no data for 30 s, 226"],
  [unreachable, ["never"], 0, "throws unusable port"],
  [unreachable, [lost], 0, "throws unusable port"],
  [unreachable, ["425 cannot connect"], 0, "throws unusable port"],
  [unreachable, ["550 no"], 0, "throws transfer refused"],
])(
  "a failure of this side, %s, and %j, after %i octets: %s",
  async (data, replies, octets, end) => {
    expect(await endOf(replies, data, octets)).toBe(end);
  },
);

test.each<Row>([
  ["never", ["150 here", nobody], 4, "throws untrusted data"],
  ["closed", ["150 here", nobody], 4, "throws untrusted data"],
  ["never", ["150 here", nobody], 0, "throws misplaced reply"],
  ["never", [nobody], 0, "throws misplaced reply"],
])(
  "a session that was misread, data %s, and %j, after %i octets: %s",
  async (data, replies, octets, end) => {
    expect(await endOf(replies, data, octets)).toBe(end);
  },
);

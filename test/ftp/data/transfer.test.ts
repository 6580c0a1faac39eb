/** The end of a transfer whose session fails before its last reply. */
import { expect, test } from "vitest";
import type { FtpullError } from "../../../src/errors.ts";
import { type Exchange, Misplaced } from "../../../src/ftp/control/exchange.ts";
import type { DataConnection } from "../../../src/ftp/data/data-connection.ts";
import { runTransfer, UntrustedTransfer } from "../../../src/ftp/data/transfer.ts";

/** The failure of a transfer that has begun with 150; `octets` have come when the session fails with `error`. */
async function failureAfter(octets: number, error: FtpullError): Promise<unknown> {
  const first = { code: 150, lines: ["150 here"] };
  const exchange = {
    first,
    firstReply: () => Promise.resolve(first),
    finalReply: () => Promise.reject(error),
  };
  const data = { hasOctets: octets > 0, ended: new Promise(() => {}), abort: () => {} };
  const [sent, connection] = [exchange as unknown as Exchange, data as unknown as DataConnection];
  return runTransfer("cannot retrieve", sent, connection, 1000).catch(
    (failure: unknown) => failure,
  );
}

test("octets that came before a misplaced reply are trusted by no later try", async () => {
  const misplaced = new Misplaced("the server doesn't answer in order");
  expect(await failureAfter(1, misplaced)).toBeInstanceOf(UntrustedTransfer);
  expect(await failureAfter(0, misplaced)).toBe(misplaced);
});

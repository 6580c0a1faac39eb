/** The end of a download in segments after which a session turns out not to be trusted. */
import { expect, test } from "vitest";
import type { DocumentFile } from "../../../src/documents/file/document-file.ts";
import { Ranges } from "../../../src/documents/segments/ranges.ts";
import { SegmentedDownload } from "../../../src/documents/segments/segmented-download.ts";
import { UntrustedTransfer } from "../../../src/ftp/data/transfer.ts";
import type { Session } from "../../../src/ftp/session.ts";
import type { Sink } from "../../../src/net/rate-limit.ts";

test("octets of a session that can't be trusted are no whole file, even if all are here", async () => {
  const size = 100;
  const ranges = new Ranges([[0, size]], 1);
  const file = {
    ranges,
    connections: 1,
    end: size,
    isOpen: true,
    write: () => {},
    written: () => {},
  };
  const untrusted = new UntrustedTransfer("the server doesn't answer in order");
  const retrieve = (_name: string, _offset: number, sink: Sink): Promise<never> => {
    void sink(Buffer.alloc(size));
    return Promise.reject(untrusted);
  };
  const session = { usable: true, retrieve } as unknown as Session;
  const download = new SegmentedDownload(file as unknown as DocumentFile);
  await expect(download.receive(session, "x")).rejects.toBe(untrusted);
  expect(ranges.left).toBe(0);
});

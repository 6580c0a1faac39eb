/** The end of a download in segments after which a session turns out not to be trusted. */
import { expect, test } from "vitest";
import type { FileTry } from "../../../src/documents/file/file-try.ts";
import { SegmentedDownload } from "../../../src/documents/file/segmented-download.ts";
import type { Document } from "../../../src/documents/task.ts";
import type { Tries } from "../../../src/documents/task-tries.ts";
import { networkError } from "../../../src/errors.ts";
import type { Session } from "../../../src/ftp/session.ts";
import type { Sink } from "../../../src/net/rate-limit.ts";

test("bytes of a session that can't be trusted are no whole file, even if all are here", async () => {
  const size = 100;
  const cuts: number[] = [];
  const attempt = {
    facts: { size },
    offset: 0,
    connections: 1,
    write: () => {},
    advance: () => {},
    cut: (octets: number) => void cuts.push(octets),
  } as unknown as FileTry;
  const untrusted = networkError("the server doesn't answer in order", {
    reason: "untrusted data",
  });
  const retrieve = (_name: string, _offset: number, sink: Sink): Promise<never> => {
    void sink(Buffer.alloc(size));
    return Promise.reject(untrusted);
  };
  const session = { usable: true, retrieve } as unknown as Session;
  const download = new SegmentedDownload({} as Document, attempt, {} as Tries);
  await expect(download.receive(session, "x")).rejects.toBe(untrusted);
  expect(cuts).toEqual([size]);
});

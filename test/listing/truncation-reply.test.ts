import { expect, test } from "vitest";
import { parseReply } from "../../src/ftp/control/reply.ts";
import { saysCut } from "../../src/listing/truncation-reply.ts";

test.each([
  "226-Options: -l\n226 Output truncated to 2000 matches",
  "226 Transfer complete (listing truncated)",
  "226 Showing the first 1000 entries",
  "226 Only the first 10,000 files are listed",
  "226 Listing limited to 500 entries.",
  "226 Limit of 5000 matches; use a wildcard",
  "226 Directory list has been truncated",
  "226 Truncated to 2000 files",
  "226 First 2000 matches",
  "226 Transfer complete (truncated)",
  "226 Truncated.",
  "226 Transfer done (but failed to open directory).",
  "226-Sorry, we were unable to read [.]\n226 0 matches total",
])("says that the listing was cut: %s", (text) => {
  expect(saysCut(parseReply(text).lines)).toBe(true);
});

test.each([
  "226 2000 matches total",
  "226 Limited to 100 KB per second",
  "226 Transfer rate limited to 2 MB/s (first 10 seconds: 5 MB/s)",
  "226 Listing sent, not truncated",
  "226 Guests are limited to 50 downloads",
  "226 Guests are limited to 50 files per day",
  '226 Listing of "truncated" complete',
  "226 Listing of /pub/truncated/logs complete",
  '226 Sent "the output truncated here" and "(truncated)"',
  "226 Sent /old/(truncated) and list truncated/x",
  "226 Transfer complete. Your limit is 100 files",
  "226 Limit of 5000 files",
  "226 Log truncated yesterday",
  "226 5000 of 5000 shown",
  "226 The first 100 MB are free",
  "226 First 5 downloads of the day",
  "226 Transfer complete (not truncated)",
])("says nothing of the kind: %s", (text) => {
  expect(saysCut(parseReply(text).lines)).toBe(false);
});

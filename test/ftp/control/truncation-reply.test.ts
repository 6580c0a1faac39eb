import { expect, test } from "vitest";
import { parseReply, saysCut } from "../../../src/ftp/control/reply.ts";

test.each([
  "226-Options: -l\n226 Output truncated to 2000 matches",
  "226 Transfer complete (listing truncated)",
  "226 Directory list has been truncated",
  "226 Transfer done (but failed to open directory).",
  "226-Sorry, we were unable to read [.]\n226 0 matches total",
])("says that the listing was cut: %s", (text) => {
  expect(saysCut(parseReply(text))).toBe(true);
});

test.each([
  "226 2000 matches total",
  "226 Listing sent, not truncated",
  '226 Listing of "truncated" complete',
  "226 Listing of /pub/truncated/logs complete",
])("says nothing of the kind: %s", (text) => {
  expect(saysCut(parseReply(text))).toBe(false);
});

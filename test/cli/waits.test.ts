/** The waits that options set: between documents, and between tries. */
import { describe, expect, test } from "vitest";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const files = { a: "a", b: "b", "d/c": "c", "d/e/f": "f" };

describe("--wait", () => {
  test.each([
    ["between documents", ["-w2"], ["/a", "/b", "/d/c"], 4],
    ["over all jobs together", ["-w", "2", "-j3", "-r"], ["/"], 12],
    ["not before a document that isn't fetched", ["-w2", "-nc"], ["/a", "/b", "/a"], 2],
  ])("pauses %s: %j", async (_claim, words, paths, seconds) => {
    const server = await startServer({ files });
    const urls = paths.map((path) => server.url(path));
    const { status, stderr } = await run([...words, ...urls]);
    expect(stderr).toMatch(new RegExp(`total: .* in ${seconds}s`, "m"));
    expect(status).toBe(0);
  });

  test("pauses for each server apart, and not for the tries of a document", async () => {
    const one = await startServer({ files, on: { "RETR#1": "450 busy" } });
    const other = await startServer({ files });
    const urls = [one.url("/a"), other.url("/b")];
    const words = ["-w100", "--waitretry=0", ...urls];
    const { status, stderr } = await run(words);
    expect(stderr).toMatch(/total: 2 files, .* in 0s/m);
    expect(status).toBe(0);
  });
});

/** --verify against lists that do harm: nothing wrong is called verified. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { watched } from "../support/watched.ts";

const md5 = (octets: string | Buffer): string => createHash("md5").update(octets).digest("hex");

/** Lines for `count` other files, and then those of these ones. */
function listFor(names: readonly string[], count: number): string {
  const line = (index: number): string => `${String(index).padStart(32, "0")}  other${index}\n`;
  const others = Array.from({ length: count }, (_, index) => line(index));
  return [...others, ...names.map((name) => `${md5(name)}  ${name}\n`)].join("");
}

describe("a list with 400000 lines for other files", () => {
  const list = listFor(["a", "b", "s/c"], 400_000);
  const files = { "d/a": "a", "d/b": "b", "d/s/c": "s/c", "d/MD5SUMS": list };
  const on = { SIZE: "502 no" };
  const most = 200;

  test("verifies documents of its directory in bounded memory", async () => {
    const server = await startServer({ files, on });
    const urls = ["/d/a", "/d/b"].map((path) => server.url(path));
    const { status, peakMB } = await watched(["--verify", ...urls]);
    expect(peakMB).toBeLessThan(most);
    expect(status).toBe(0);
  });

  test("verifies a tree in bounded memory", async () => {
    const server = await startServer({ files, on });
    const args = ["--verify", "-r", "-A", "?", server.url("/d/")];
    const { status, peakMB } = await watched(args);
    expect(peakMB).toBeLessThan(most);
    expect(status).toBe(0);
  });
});

test("names with control characters and escape sequences don't reach the terminal", async () => {
  const name = "x\u001b[31m\u0007y";
  const files: ServerOptions["files"] = {
    [`d/${name}`]: "1",
    [`d/${name}.sha256`]: `\u001b[2J${md5("1")}`,
    [`d/${name}.md5`]: `${md5("1")}  ${name}\n`,
    "d/../z": "",
    "d/MD5SUMS": `${md5("2")}  ../x\n${md5("2")}  ${name}\u001b[0m\n`,
  };
  const server = await startServer({ files });
  const tree = await run(["--verify", "-r", server.url("/d/")]);
  const one = await run(["--verify", server.url(`/d/${encodeURIComponent(name)}`)]);
  for (const { status, stderr } of [tree, one]) {
    expect(stderr).toMatch(/, verified by md5 of x.*\.md5\n/);
    expect(stderr).toContain("not used to verify: there is no checksum in the list");
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(status).toBe(0);
  }
  expect(Object.keys(localFiles(tree.cwd))).toHaveLength(4);
});

/**
 * Lists of checksums that do harm: no file is taken for verified by one, memory stays bounded, and
 * nothing in a list reaches the terminal or a path.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { localFiles } from "../support/local-tree.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { runTransfer } from "../support/transfer.ts";
import { watched } from "../support/watched.ts";
import { startSecured, trusting } from "../tls/support/secured.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
const right = sha256("one");

test("a tree with a list of 400000 lines for other files takes less than 200 MB", async () => {
  const others = Array.from({ length: 400_000 }, (_, index) => {
    return `${String(index).padStart(32, "0")}  other${index}\n`;
  });
  const own = ["a", "b", "s/c"].map((name) => `${md5(name)}  ${name}\n`);
  const MD5SUMS = [...others, ...own].join("");
  const files = { "d/a": "a", "d/b": "b", "d/s/c": "s/c", "d/MD5SUMS": MD5SUMS };
  const server = await startServer({ files, on: { SIZE: "502 no" } });
  // Without a limit, the amount of garbage depends on what else the machine does.
  const args = ["--verify", "-r", "-A", "?", server.url("/d/")];
  const { status, peakMB } = await watched(args, 96);
  expect(peakMB).toBeLessThan(200);
  expect(status).toBe(0);
});

test.each<[claim: string, on: Record<string, Action>, words: string]>([
  ["has 2 GB", { "SIZE SHA256SUMS": "213 2147483648" }, "it has more than 67108864 bytes"],
  ["is cut", { "RETR SHA256SUMS": transfer({ first: 70 }) }, "expected 136 bytes"],
])("nothing is verified by a list that %s", async (_claim, on, words) => {
  const files = { "pub/a": "one", "pub/SHA256SUMS": `${right}  a\n${right}  b\n` };
  const server = await startServer({ files, on });
  const { status, stderr, cwd } = await run(["-t1", "--verify", server.url("/pub/a")]);
  expect({ status, stderr }).toEqual({ status: 9, stderr: expect.stringContaining(words) });
  expect(readdirSync(cwd)).toEqual([]);
});

test("names in a list lead nowhere, and are escaped where they are shown", async () => {
  const odd = ["../a", "/etc/passwd", "..", "x\u001b[2Jy", "x\u0007", "x\u009b31m", "x\u202ey"];
  const list = [...odd, "a"].map((name) => `${right}  ${name}\n`).join("");
  const files = { "pub/a": "one", "pub/SHA256SUMS": `${list}\\${right}  n\\nl\n` };
  const server = await startServer({ files });
  const words = ["--progress=none", "--verify", "-r", server.url("/pub/")];
  const { status, stderr, cwd } = await run(words);
  expect(status, stderr).toBe(0);
  expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  expect(Object.keys(localFiles(cwd)).toSorted()).toEqual(Object.keys(files).toSorted());
  expect(existsSync(join(cwd, "..", "a"))).toBe(false);
});

describe("a list of unknown size, over TLS,", () => {
  const files = { "pub/a": "one", "pub/SHA256SUMS": `${right}  a\n`, "pub/a.md5": md5("one") };
  const listing = ["a", "SHA256SUMS", "a.md5"].map((name) => `type=file; ${name}\r\n`).join("");

  async function verified(action: Action) {
    const MLSD = transfer({ content: listing });
    const on = { SIZE: "502 no", MLSD, "RETR SHA256SUMS": action };
    const server = await startSecured({}, { files, on });
    const url = server.url("/pub/a", { scheme: "ftpes" });
    return run(["-t2", "--waitretry=0", ...(await trusting()), "--verify", url]);
  }

  function* endless(): Generator<Buffer> {
    for (;;) yield Buffer.alloc(1_000_000, "x");
  }

  test("that never ends leaves its place to the next one", async () => {
    const { status, stderr } = await verified((exchange) => runTransfer(exchange, endless()));
    expect(stderr).toContain("not used to verify: it has more than 67108864 bytes");
    expect(stderr).toContain("md5 of a.md5");
    expect(status).toBe(0);
  });

  test("that is cut is named as what failed", async () => {
    const { status, stderr, cwd } = await verified(transfer({ end: "cut" }));
    const words = 'cannot read the checksums in "SHA256SUMS": the data connection was closed';
    expect(stderr).toContain(words);
    expect([status, readdirSync(cwd)]).toEqual([4, []]);
  });
});

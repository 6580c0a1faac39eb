/**
 * Lists of checksums that do harm: no document is taken for verified by one, memory stays bounded, and
 * nothing in a list reaches the terminal or a path.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { run } from "../support/run-here.ts";
import type { Action, Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { runTransfer } from "../support/transfer.ts";
import { watched } from "../support/watched.ts";
import { startSecured, trusting } from "../tls/support/secured.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
const right = sha256("one");
const sums = `${right}  a\n${sha256("two")}  b\n`;
const files = { "pub/a": "one", "pub/b": "two", "pub/SHA256SUMS": sums };

/** Sends lines that are made as they go, until the client has enough. */
function lines(lineOf: (index: number) => string, count = Infinity): Step {
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < count; at += 1000)
      yield Buffer.from(Array.from({ length: 1000 }, (_, index) => lineOf(at + index)).join(""));
  }
  return (exchange) => runTransfer(exchange, pieces());
}

const lineFor = (index: number): string =>
  `${String(index % 65_536).padStart(5, "0")} 1 f${index}\n`;

async function verified(on: ServerOptions["on"], ...words: string[]) {
  const server = await startServer({ files, ...(on && { on }) });
  const path = words.includes("-r") ? "/pub/" : "/pub/a";
  return { args: ["--progress=none", "-t1", "--verify", ...words, server.url(path)], server };
}

describe("memory stays bounded", () => {
  /**
   * Most memory in MB: a run without a list takes some 60. These lines are kept in 45, of which V8 makes 200 before
   * it collects, later Nodes more.
   */
  const most = 260;
  const count = 400_000;

  test(`where a list has ${count} lines for other files`, async () => {
    const step = lines((index) => (index === 5 ? `${right}  a\n` : lineFor(index)), count);
    const { args, server } = await verified({
      "SIZE SHA256SUMS": "550 no",
      "RETR SHA256SUMS": step,
    });
    const { status, peakMB } = await watched(args);
    expect(status).toBe(0);
    expect(server.commands).toContain("RETR a");
    expect(peakMB).toBeLessThan(most);
  });
});

describe("nothing is verified by a list that", () => {
  const half = sums.slice(0, 70);

  test.each<[claim: string, on: ServerOptions["on"], words: string]>([
    ["has 2 GB", { "SIZE SHA256SUMS": "213 2147483648" }, "it has more than 67108864 bytes"],
    [
      "is longer than SIZE says",
      { "SIZE SHA256SUMS": "213 70" },
      "expected 70 bytes, received 136",
    ],
    [
      "is half of what SIZE says",
      { "RETR SHA256SUMS": transfer({ first: 70 }) },
      "expected 136 bytes",
    ],
    [
      "is half of what 150 says",
      {
        "SIZE SHA256SUMS": "550 no",
        "RETR SHA256SUMS": transfer({ content: half, preliminary: "150 Opening (136 bytes)." }),
      },
      "expected 136 bytes, received 70",
    ],
    [
      "has two checksums of one name",
      {
        "SIZE SHA256SUMS": "550 no",
        "RETR SHA256SUMS": transfer({ extra: `${sha256("two")} *./a\n` }),
      },
      `two sha256 checksums of "a": ${right} and ${sha256("two")}`,
    ],
    [
      "is cut at the end of a line",
      {
        "SIZE SHA256SUMS": "550 no",
        "RETR SHA256SUMS": transfer({ content: `${sha256("two")}  b\n` }),
      },
      "no checksum was found",
    ],
  ])("%s", async (_claim, on, words) => {
    const { args } = await verified(on);
    const { status, stderr, cwd } = await run(args);
    expect({ status, stderr }).toEqual({ status: 9, stderr: expect.stringContaining(words) });
    expect(readdirSync(cwd)).toEqual([]);
  });
});

test("names in a list lead nowhere, and are escaped where they are shown", async () => {
  const odd = ["../a", "/etc/passwd", "..", "x\u001b[2Jy", "x\u0007", "x\u009b31m", "x\u202ey"];
  const list = [...odd.map((name) => `${right}  ${name}\n`), "\\" + right + "  n\\nl\n"];
  const on = {
    "RETR#1 SHA256SUMS": transfer({ content: list.join("") }),
    "SIZE SHA256SUMS": "550 no",
  };
  const { args } = await verified(on, "-r");
  const { status, stderr, cwd } = await run(args);
  expect(status, stderr).toBe(0);
  expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  expect(localFiles(cwd)).toEqual(files);
  expect(existsSync(join(cwd, "..", "a"))).toBe(false);
});

describe("--verify by a list of unknown size", () => {
  const files = { "pub/a": "one", "pub/SHA256SUMS": `${right}  a\n`, "pub/a.md5": md5("one") };

  const names = Object.keys(files).map((path) => path.slice("pub/".length));
  const listing = names.map((name) => `type=file; ${name}\r\n`).join("");

  async function verified(action: Action) {
    const MLSD = transfer({ content: listing });
    const on = { SIZE: "502 no", MLSD, "RETR SHA256SUMS": action };
    const server = await startSecured({}, { files, on });
    const url = server.url("/pub/a", { scheme: "ftpes" });
    return run(["-t2", "--waitretry=0", ...(await trusting()), "--verify", url]);
  }

  test("that never ends goes on with the next one", async () => {
    const { status, stderr } = await verified(lines(() => "x".repeat(1000)));
    expect(status).toBe(0);
    expect(stderr).toContain("not used to verify: cannot read the checksums in");
    expect(stderr).toContain("it has more than 67108864 bytes");
    expect(stderr).toContain("md5 of a.md5");
  });

  test("that is cut, which TLS shows, is named as what failed", async () => {
    const { status, stderr, cwd } = await verified(transfer({ end: "cut" }));
    expect(status).toBe(4);
    const words =
      'cannot read the checksums in "SHA256SUMS": the data connection was closed without';
    expect(stderr).toContain(words);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { at, cwd, ownDirectory, text } from "../support/own-directory.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { withoutTotal } from "../support/total.ts";

ownDirectory();

const sha256 = (octets: string) => createHash("sha256").update(octets).digest("hex");
const option = (octets: string) => ["--checksum", `sha256:${sha256(octets)}`];

describe("--checksum", () => {
  test("that doesn't is exit 9 with both values, after one try, and removes what arrived", async () => {
    writeFileSync(at("a"), "old");
    const server = await startServer({ files: { a: "abc\n" } });
    const url = server.url("/a");
    expect(await run(["-qf", ...option("abd\n"), url], { cwd })).toMatchObject({
      status: 9,
      stdout: "",
      stderr: `ftpull: ${url}: expected sha256 ${sha256("abd\n")}, found ${sha256("abc\n")}; nothing was kept\n`,
    });
    expect(readdirSync(cwd)).toEqual(["a"]);
    expect(text("a")).toBe("old");
    expect(server.commands.filter((line) => line === "RETR a")).toHaveLength(1);
  });

  test("that differs after a resume makes the document begin again: what was here may be wrong", async () => {
    const whole = "0123456789".repeat(1000);
    const here = `X${whole.slice(1, 8000)}`;
    const server = await startServer({ files: { a: whole } });
    writeFileSync(at("a"), here);
    const right = await run(["-qc", ...option(whole), server.url("/a")], { cwd });
    expect(right).toMatchObject({ status: 0, stderr: "" });
    expect(text("a")).toBe(whole);
    expect(server.sent("REST", "RETR")).toEqual(["REST 3904", "RETR a", "RETR a"]);
    writeFileSync(at("a"), here);
    const wrong = await run(["-qc", ...option("abc"), server.url("/a")], { cwd });
    expect(wrong.stderr).toContain(`found ${sha256(whole)}; nothing was kept\n`);
    expect(wrong.status).toBe(9);
    expect(server.sent("RETR")).toHaveLength(4);
    expect(readdirSync(cwd)).toEqual(["a"]);
    expect(text("a")).toBe(here);
  });

  test("that differs after a resume twice is a failure: the document isn't fetched a third time", async () => {
    const whole = "0123456789".repeat(1000);
    const cut = transfer({ first: 8000, end: "reset", completion: "426 cut" });
    const on = { "RETR#1": cut, "RETR#3": cut, "RETR#5": cut };
    const server = await startServer({ files: { a: whole }, on });
    const result = await run(["-q", "--waitretry=0", ...option("abc"), server.url("/a")], { cwd });
    expect(result.stderr).toContain(`found ${sha256(whole)}; nothing was kept\n`);
    expect(result.status).toBe(9);
    expect(server.sent("REST", "RETR")).toEqual([
      "RETR a",
      "REST 3904",
      "RETR a",
      "RETR a",
      "REST 3904",
      "RETR a",
    ]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("of a file that -c finds whole is looked at, and the file left as it is", async () => {
    const server = await startServer({ files: { a: "abc" } });
    writeFileSync(at("a"), "abc");
    const right = await run(["-qc", ...option("abc"), server.url("/a")], { cwd });
    expect(right).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(cwd)).toEqual(["a"]);
    writeFileSync(at("a"), "abX");
    const wrong = await run(["-qc", ...option("abc"), server.url("/a")], { cwd });
    expect(wrong.status).toBe(9);
    expect(readdirSync(cwd)).toEqual(["a"]);
    expect(text("a")).toBe("abX");
  });
});

describe("--checksums", () => {
  test("verifies what it lists, and warns once of what it doesn't", async () => {
    writeFileSync(at("SUMS"), `${sha256("a")}  ./a\nSHA256 (b) = ${sha256("x")}\n`);
    const server = await startServer({ files: { a: "a", b: "b", c: "c" } });
    const urls = ["/a", "/b", "/c"].map((path) => server.url(path));
    const result = await run(["--progress=none", "--checksums", "SUMS", ...urls], { cwd });
    expect({ ...result, stderr: withoutTotal(result.stderr) }).toMatchObject({
      status: 9,
      stderr:
        `ftpull: ${server.url("/b")}: expected sha256 ${sha256("x")}, found ${sha256("b")}; nothing was kept\n` +
        'ftpull: warning: "SUMS" has no checksum of "c": it is not verified\n',
    });
    expect(readdirSync(cwd).toSorted()).toEqual(["SUMS", "a", "c"]);
  });

  test("comes from standard input, and says what it lacks", async () => {
    const stdin = `${sha256("x")}  x\nwhat?\n\nwhy?\n`;
    const server = await startServer({ files: { a: "a" } });
    const args = ["--progress=none", "--checksums", "-", server.url("/a")];
    expect(await run(args, { cwd, stdin })).toMatchObject({
      status: 0,
      stderr: 'ftpull: warning: standard input has no checksum of "a": it is not verified\n',
    });
  });

  test("warns with -q, too, of a document that a URL names, not of those in trees and patterns", async () => {
    writeFileSync(at("SUMS"), `${sha256("x")}  x\n`);
    const server = await startServer({ files: { "pub/a": "a" } });
    const fetched = (...words: string[]) => run(["-q", "--checksums", "SUMS", ...words], { cwd });
    expect(await fetched(server.url("/pub/a"))).toMatchObject({
      status: 0,
      stderr: 'ftpull: warning: "SUMS" has no checksum of "a": it is not verified\n',
    });
    expect(await fetched("-f", server.url("/pub/*"))).toMatchObject({ status: 0, stderr: "" });
    const tree = await fetched("-r", server.url("/pub/"));
    expect(tree.stderr).not.toContain("not verified");
  });

  test("goes by names where a pattern is matched, which need not be all of the list", async () => {
    const list = [`${sha256("a")}  sub/a.gz\n`, `${sha256("x")}  b.gz\n`, `${sha256("z")}  z.gz\n`];
    writeFileSync(at("SUMS"), list.join(""));
    const server = await startServer({ files: { "pub/a.gz": "a", "pub/b.gz": "b" } });
    const result = await run(["-q", "--checksums", "SUMS", server.url("/pub/*.gz")], { cwd });
    expect(result.status).toBe(9);
    expect(result.stderr).not.toContain("z.gz");
    expect(readdirSync(cwd).toSorted()).toEqual(["SUMS", "a.gz"]);
  });
});

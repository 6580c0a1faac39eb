/** --checksums with a URL: the list comes first, over the documents' session and with their tries. */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { loopbackCertificate } from "../support/certificates.ts";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { withoutTotal } from "../support/total.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const line = (name: string, text: string): string => `${sha256(text)}  ${name}\n`;
const files = { "pub/a": "one", "pub/b": "two", "pub/SUMS": line("a", "one") + line("b", "two") };

interface Run {
  readonly server?: ServerOptions;
  readonly words?: readonly string[];
  readonly list?: string;
  readonly paths?: readonly string[];
}

/** Runs the program; URLs in standard error begin with "/". */
async function fetched({ server = {}, words = [], list = "/pub/SUMS", paths = ["/pub/a"] }: Run) {
  const started = await startServer({ files, ...server });
  const urls = paths.map((path) => started.url(path));
  const options = ["--progress=none", "-t2", "--waitretry=0", "--checksums", started.url(list)];
  const result = await run([...options, ...words, ...urls]);
  const stderr = withoutTotal(result.stderr).replaceAll(started.url("/"), "/");
  return { ...result, stderr, server: started };
}

test("the list comes first, over the session that fetches the documents", async () => {
  const { status, stderr, server, cwd } = await fetched({ paths: ["/pub/a", "/pub/b"] });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(localFiles(cwd)).toEqual({ a: "one", b: "two" });
  expect(server.sent("USER")).toEqual(["USER anonymous"]);
  expect(server.sent("RETR")).toEqual(["RETR SUMS", "RETR a", "RETR b"]);
});

test("with -j it is fetched once, before all others", async () => {
  const paths = ["/pub/a", "/pub/b", "/pub/SUMS"];
  const { status, server } = await fetched({ paths, words: ["-j8"] });
  expect(status).toBe(0);
  const [first, ...others] = server.sent("RETR");
  expect(first).toBe("RETR SUMS");
  expect(others.toSorted()).toEqual(["RETR SUMS", "RETR a", "RETR b"]);
});

test("it may have the only document under the name of -O", async () => {
  const named = { "pub/a": "one", "pub/SUMS": line("b", "one") + line("c", "two") };
  const server = { files: named };
  const right = await fetched({ server, words: ["-O", "b"] });
  expect({ status: right.status, stderr: right.stderr }).toEqual({ status: 0, stderr: "" });
  const wrong = await fetched({ server, words: ["-O", "c"] });
  expect(wrong.status).toBe(9);
  expect(readdirSync(wrong.cwd)).toEqual([]);
});

test("in a tree it names paths from the tree's top, wherever it is", async () => {
  const tree = {
    "sums/SUMS": line("x/a", "one") + line("./b", "two") + line("x/c", "three"),
    "pub/x/a": "one",
    "pub/b": "changed",
  };
  const list = "/sums/SUMS";
  const result = await fetched({ server: { files: tree }, list, paths: ["/pub/"], words: ["-r"] });
  expect(result.status).toBe(9);
  expect(result.stderr).toContain(`/pub/b: expected sha256 ${sha256("two")}`);
  expect(result.stderr).toContain('the list of checksums has "x/c", which was not found');
  expect(localFiles(result.cwd)).toEqual({ "pub/x/a": "one" });
});

test("a password in its URL is shown nowhere", async () => {
  const users = { jane: { password: "secret" } };
  const server = await startServer({ files, users, anonymous: false });
  const login = { user: "jane", password: "secret" };
  const list = server.url("/pub/SUMS", login);
  const args = [
    "-v",
    "--checksums",
    list,
    server.url("/pub/a", login),
    server.url("/pub/SUMS", login),
  ];
  const { status, stderr } = await run(args);
  expect(status).toBe(0);
  expect(stderr).toContain(
    `${server.url("/pub/SUMS", { user: "jane" })} has no checksum of "SUMS": it is not verified`,
  );
  expect(stderr).not.toContain("secret");
  expect(server.sent("USER")).toHaveLength(1);
});

test("a list of another server, over TLS", async () => {
  const { cert, key } = loopbackCertificate;
  const lists = await startServer({ files: { SUMS: line("a", "one") }, tls: { cert, key } });
  const server = await startServer({ files });
  const url = lists.url("/SUMS").replace("ftp:", "ftpes:");
  const args = ["-q", "--no-check-certificate", "--checksums", url, server.url("/pub/a")];
  expect(await run(args)).toMatchObject({ status: 0, stderr: "" });
  expect(lists.commands).toContain("PROT P");
});

describe("without the list no document is fetched", () => {
  test.each<[claim: string, change: Run, status: number, words: string]>([
    ["it is none", { list: "/pub/SUM" }, 8, '/pub/SUM: cannot retrieve "SUM": server replied 550'],
    ["it is a directory", { list: "/pub" }, 8, '/pub: cannot retrieve "pub": server replied 550'],
    ["it has no checksum", { list: "/pub/b" }, 2, "/pub/b: there is no checksum in the list"],
    [
      "it is cut",
      { server: { on: { RETR: transfer({ first: 40 }) } } },
      9,
      '/pub/SUMS: cannot read the checksums in "SUMS": expected 136 octets, received 40',
    ],
    ["it breaks off", { server: { on: { RETR: "451 disk" } } }, 8, "/pub/SUMS: cannot retrieve"],
    ["nobody may log in", { server: { anonymous: false } }, 6, "cannot log in"],
  ])("%s", async (_claim, change, status, words) => {
    const { stderr, server, cwd, ...result } = await fetched(change);
    expect(result.status).toBe(status);
    expect(stderr).toContain(words);
    expect(server.commands).not.toContain("RETR a");
    expect(readdirSync(cwd)).toEqual([]);
    expect(server.commands.at(-1)).toBe("QUIT");
  });

  test("its URL is a directory's, or has an unknown scheme: nothing is connected", async () => {
    const { status, stderr, server } = await fetched({ list: "/pub/" });
    expect(status).toBe(2);
    expect(stderr).toBe("ftpull: --checksums is for one list, and /pub/ is none\n");
    expect(server.connections).toEqual([]);
    const other = await run(["--checksums", "http://127.0.0.1/SUMS", server.url("/pub/a")]);
    expect(other.status).toBe(2);
    expect(server.connections).toEqual([]);
  });

  test("with --json the list's failure is an object", async () => {
    const { stdout } = await fetched({ list: "/pub/SUM", words: ["--json"] });
    expect(JSON.parse(stdout)).toMatchObject({ status: "failed", exit: 8 });
  });
});

test("a try that broke leaves nothing of its list", async () => {
  const cut = transfer({ content: line("a", "other") + line("b", "two"), completion: "426 cut" });
  const { status, stderr, server } = await fetched({ server: { on: { "RETR#1": cut } } });
  expect(status).toBe(0);
  expect(stderr).toContain("trying again");
  expect(server.sent("RETR")).toEqual(["RETR SUMS", "RETR SUMS", "RETR a"]);
});

test("--explain shows the list's dialogue first", async () => {
  const args = ["--explain", "--checksums", "ftp://h/pub/SUMS", "ftp://h/pub/a"];
  const { status, stdout } = await run(args);
  expect(status).toBe(0);
  expect(stdout.match(/RETR \S+|target .*/g)).toEqual([
    "RETR SUMS",
    "target    memory: documents are compared with this list",
    "RETR a",
    "target    a",
  ]);
});

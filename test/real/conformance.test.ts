/** What the table of servers doesn't ask: users, odd names, the server's root, and what listings tell. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { runInRealTime as run } from "../support/run-here.ts";
import { describeEachServer } from "./support/each-server.ts";
import {
  latin1Name,
  manyNames,
  octets,
  oddNames,
  rootNames,
  text,
  treeModified,
  urlPath,
} from "./support/tree.ts";

const decoded = (name: string): string => Buffer.from(name, "latin1").toString();

describeEachServer("files", (server, kind) => {
  test("a named user is let in by the password of the environment", async () => {
    const { user, password } = server().account;
    const env = { FTPULL_PASSWORD: password };
    const result = await run(["-O", "-", server().url("/text.txt", { user })], { env });
    expect(result).toMatchObject({ status: 0, stdout: text });
  });

  // Pure-FTPd sends no file with a backslash in its name: "553 Prohibited file name".
  const named = oddNames.filter((name) => kind !== "pure-ftpd" || !name.includes("\\"));

  test("a file of an odd name is found, and saved by that name", async () => {
    const urls = named.map((name) => server().url(`/names/${urlPath(name)}`));
    const { cwd, ...result } = await run(urls);
    expect(result).toMatchObject({ status: 0, stdout: "" });
    expect(readdirSync(cwd).toSorted()).toEqual(named.map(decoded).toSorted());
    for (const name of readdirSync(cwd)) expect(readFileSync(join(cwd, name), "utf8")).toBe(name);
  });

  // pyftpdlib reads names as UTF-8 and sends others nowhere.
  test.skipIf(kind === "pyftpdlib")("a name that is not UTF-8 is saved encoded", async () => {
    const { cwd } = await run([server().url(`/names/${urlPath(latin1Name)}`)]);
    expect(readdirSync(cwd)).toEqual(["caf%E9"]);
  });

  test.each([
    ["/%2F", []],
    ["/", ["--root"]],
  ])("a path after %s begins at the server's root, with %j", async (beginning, words) => {
    const path = beginning + posix.join(server().absoluteRoot, "text.txt").slice(1);
    const result = await run([...words, "-O", "-", server().url(path, server().account)]);
    expect(result).toMatchObject({ status: 0, stdout: text });
  });

  test("an empty file and the target of a link arrive, beside one that is missing", async () => {
    const urls = ["/no/such", "/empty", "/link"].map((path) => server().url(path));
    const { status, cwd } = await run(urls);
    expect([status, readdirSync(cwd)]).toEqual([8, ["empty", "link"]]);
    expect(readFileSync(join(cwd, "link")).equals(octets(300_000))).toBe(true);
    expect(statSync(join(cwd, "empty")).mtime).toEqual(treeModified);
  });
});

interface Entry {
  readonly name: string;
  readonly url: string;
  readonly modified: string;
}

describeEachServer("listings", (server, kind) => {
  async function entries(path: string): Promise<Map<string, Entry>> {
    const { stdout } = await run(["--format", "json", server().url(path)]);
    const lines = stdout.trimEnd().split("\n");
    return new Map(lines.map((line) => JSON.parse(line) as Entry).map((one) => [one.name, one]));
  }

  test("json has every name, type, size and date", async () => {
    const found = await entries("/");
    const { directories, files, link } = rootNames;
    expect([...found.keys()].toSorted()).toEqual([...directories, ...files, link].toSorted());
    expect(found.get("300k.bin")).toMatchObject({ type: "file", size: 300_000 });
    expect(found.get("empty")).toMatchObject({ type: "file", size: 0 });
    expect(found.get("void")).toMatchObject({ type: "directory" });
    // An old file has no time of day in LIST.
    const date = kind === "vsftpd" ? /^2020-02-29$/ : /^2020-02-29T\d\d:\d\d:\d\dZ$/;
    expect(found.get("300k.bin")?.modified).toMatch(date);
    expect(found.get("300k.bin")?.url).toBe(server().url("/300k.bin"));
    // pyftpdlib shows in MLSD what a link leads to.
    expect(found.get(link)).toMatchObject({ type: kind === "pyftpdlib" ? "file" : "link" });
  });

  test("json has the odd names as they are", async () => {
    const found = await entries("/names/");
    for (const name of oddNames) expect([...found.keys()]).toContain(decoded(name));
  });

  test.each([
    ["/many", 300],
    ["/many;type=d", 300],
    ["/void/", 0],
    ["", 10],
  ])('"%s" has so many names: %i', async (path, count) => {
    const { status, stdout } = await run([server().url(path)]);
    expect([status, stdout.split("\n").length - 1]).toEqual([0, count]);
  });

  test.each(["/no-such/", "/no-such;type=d", "/text.txt/"])("%s ends with 8", async (path) => {
    // ProFTPD's 450 would be tried again.
    expect(await run(["-t", "1", server().url(path)])).toMatchObject({ status: 8, stdout: "" });
  });
});

describeEachServer(
  "a listing that is cut",
  (server) => {
    test("is shown, with status 9", async () => {
      const { status, stdout, stderr } = await run([server().url("/many/")]);
      expect(stderr).toContain("the server cut the listing: server replied 226 ");
      expect(stdout.split("\n").length).toBeLessThan(manyNames.length);
      expect(manyNames).toContain(stdout.split("\n")[0]);
      expect(status).toBe(9);
    });
  },
  { kinds: ["pure-ftpd"], options: { config: ["--limitrecursion=100:1"] } },
);

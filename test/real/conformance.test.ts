/**
 * The built program against the real servers: logging in, finding a document by its URL,
 * and having it whole on this machine.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { expect, test } from "vitest";
import { runInRealTime as run } from "../support/run-here.ts";
import { describeEachServer } from "./support/each-server.ts";
import {
  deepFile,
  latin1File,
  oddFiles,
  sha256,
  sizedFiles,
  treeModified,
  treeText,
  urlPath,
} from "./support/tree.ts";

describeEachServer("logging in", (server, kind) => {
  test("anonymous is let in without being named", async () => {
    expect(await run(["-O", "-", server().url("/one")])).toMatchObject({ status: 0, stdout: "1" });
  });

  test("one without TLS is no server for --tls", async () => {
    const result = await run(["--tls", server().url("/one")]);
    expect(result).toMatchObject({ status: 5, stdout: "" });
  });

  test("a named user is let in by the password of the environment", async () => {
    const { user, password } = server().account;
    const env = { FTPULL_PASSWORD: password };
    const result = await run(["-O", "-", server().url("/one", { user })], { env });
    expect(result).toMatchObject({ status: 0, stdout: "1" });
  });

  test("a wrong password ends with status 6", async () => {
    const login = { user: server().account.user, password: "not-the-password" };
    const result = await run(["--no-input", server().url("/one", login)]);
    expect(result).toMatchObject({ status: 6, stdout: "" });
    const refusal = String.raw`ftpull: \S+ cannot log in as "\w+": server replied 530 "[^"]*"\nhint: .*\n`;
    expect(result.stderr).toMatch(new RegExp(`^${refusal}$`));
    expect(result.stderr).not.toContain(login.password);
    if (kind === "pyftpdlib") expect(result.stderr).toContain("Authentication failed.");
  });

  test("a missing password ends with status 6 where nobody can be asked", async () => {
    const { user } = server().account;
    expect(await run(["--no-input", server().url("/one", { user })])).toMatchObject({ status: 6 });
  });
});

describeEachServer("files", (server, kind) => {
  test.each(sizedFiles)("$pathname arrives whole, with its time", async (file) => {
    const { path } = await fetched(server().url(`/${file.pathname}`));
    expect(sha256(readFileSync(path))).toBe(sha256(file.content()));
    expect(statSync(path).mtime).toEqual(treeModified);
  });

  // Pure-FTPd sends no file with a backslash in its name: "553 Prohibited file name".
  const named = oddFiles.filter((file) => kind !== "pure-ftpd" || !file.pathname.includes("\\"));
  test("a file of an odd name is found, and saved by that name", async () => {
    const urls = named.map((file) => server().url(`/${urlPath(file.pathname)}`));
    const { cwd, ...result } = await run(urls);
    expect(result).toMatchObject({ status: 0, stdout: "" });
    const found = readdirSync(cwd).map((name) => [name, readFileSync(join(cwd, name), "utf8")]);
    const nameOf = (pathname: string) => basename(Buffer.from(pathname, "latin1").toString());
    const expected = named.map((file) => [nameOf(file.pathname), file.content().toString()]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });

  // pyftpdlib reads names as UTF-8 and sends others nowhere.
  test.skipIf(kind === "pyftpdlib")("a name that is not UTF-8 is saved encoded", async () => {
    const { name, path } = await fetched(server().url(`/${urlPath(latin1File.pathname)}`));
    expect(name).toBe("caf%E9");
    expect(readFileSync(path)).toEqual(latin1File.content());
  });

  test("the bottom of ten directories is reached", async () => {
    const { path } = await fetched(server().url(`/${deepFile.pathname}`));
    expect(readFileSync(path)).toEqual(deepFile.content());
  });

  test.each([
    ["/%2F", []],
    ["/%2F/", []],
    ["/", ["--root"]],
  ])("a path after %s begins at the server's root, with %j", async (beginning, words) => {
    const path = beginning + posix.join(server().absoluteRoot, "text.txt").slice(1);
    const result = await run([...words, "-O", "-", server().url(path, server().account)]);
    expect(result).toMatchObject({ status: 0, stdout: treeText });
  });

  test(";type=a gives local line ends", async () => {
    const result = await run(["-O", "-", server().url("/text.txt;type=a")]);
    expect(result).toMatchObject({ status: 0, stdout: treeText });
  });

  test("a symbolic link is followed", async () => {
    const { path } = await fetched(server().url("/link-to-64k"));
    expect(statSync(path).size).toBe(64 * 1024);
  });

  test("several URLs are fetched in one run, from anywhere in the tree", async () => {
    const paths = [deepFile.pathname, "one", "many/file-007", "many/file-008", "text.txt"];
    const result = await run(paths.map((path) => server().url(`/${path}`)));
    expect(result).toMatchObject({ status: 0, stdout: "" });
    expect(readdirSync(result.cwd).toSorted()).toEqual(
      paths.map((path) => basename(path)).toSorted(),
    );
    expect(readFileSync(join(result.cwd, "text.txt"), "utf8")).toBe(treeText);
  });

  test("a missing file ends with status 8, the server's words, and no file", async () => {
    const result = await run([server().url("/no-such-file")]);
    expect(result).toMatchObject({ status: 8, stdout: "" });
    expect(result.stderr).toContain("550");
    expect(readdirSync(result.cwd)).toEqual([]);
  });

  test("a missing file doesn't keep the others away", async () => {
    const result = await run(["/no/such", "/no-such", "/one"].map((path) => server().url(path)));
    expect(result.status).toBe(8);
    expect(readdirSync(result.cwd)).toEqual(["one"]);
  });
});

/** Fetches one file into an empty directory, where nothing else is afterwards. */
async function fetched(url: string): Promise<{ name: string; path: string }> {
  const result = await run([url]);
  expect(result).toMatchObject({ status: 0, stdout: "" });
  const [name = "", ...others] = readdirSync(result.cwd);
  expect(others).toEqual([]);
  return { name, path: join(result.cwd, name) };
}

/** Where the octets end up: the built program's files, and what else it writes to. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../support/run-here.ts";
import type { Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const modified = new Date("2021-03-04T05:06:07Z");

const files = { "a.txt": "first\n" };

test("P8 a directory is an error where an option is about files, but not if the URL ends in a slash", async () => {
  const server = await startServer({ files: { "d/x": "x" } });
  const url = server.url("/d");
  const stderr = `ftpull: ${url}: "d" is a directory\nhint: list the directory: ${url}/\n`;
  const sha256 = `sha256:${"0".repeat(64)}`;
  const saving = ["-Pdl", "-c", "-N", "-nc", "-f", "-s2", "-Oout", "--verify", "--json"];
  for (const words of [...saving, `--checksum=${sha256}`]) {
    const result = await run(["-q", words, url]);
    if (words === "--json") expect(JSON.parse(result.stdout)).toMatchObject({ exit: 8 });
    expect(result, words).toMatchObject({ status: 8, stderr });
    expect(await readdir(result.cwd)).toEqual([]);
  }
  const listed = { status: 0, stdout: "x\n", stderr: "" };
  expect(await run([url])).toMatchObject(listed);
  expect(await run(["-Pdl", `${url}/`])).toMatchObject(listed);
  expect(await run(["-q", "-r", "-Pdl", url])).toMatchObject({ ...listed, stdout: "" });
});

test.each([
  ["a large file", ["-nc"], "x", 100_000],
  ["a large file of a tree", ["-r", "-nc"], "d/", 100_000],
  ["a file in a new directory", ["-r"], "d/", 10],
])(
  "what another program saves meanwhile stays, and -f replaces it: %s",
  async (_claim, words, path, size) => {
    const cwd = await temporaryDirectory();
    if (size > 65_536) await mkdir(join(cwd, "d"));
    const here = path === "x" ? "x" : "d/x";
    const save: Step = async (exchange) => {
      await writeFile(join(cwd, here), "mine");
      await exchange.proceed();
    };
    const document = { content: "s".repeat(size), modified };
    const server = await startServer({
      files: { x: document, "d/x": document },
      on: { RETR: save },
    });
    const url = server.url(`/${path}`);
    const { status, stderr } = await run(["-q", ...words, url], { cwd });
    expect(stderr).toContain(`cannot write "${here}": another program has made it meanwhile`);
    expect(status).toBe(3);
    const part = size > 65_536 ? ["x.ftpull", "x.ftpull.json"] : [];
    const others = path === "x" ? ["d"] : [];
    expect(await readdir(join(cwd, here, ".."))).toEqual([...others, "x", ...part]);
    expect(await readFile(join(cwd, here), "utf8")).toBe("mine");
    const forced = words.filter((word) => word !== "-nc");
    expect((await run(["-q", "-f", ...forced, url], { cwd })).status).toBe(0);
    expect(await readFile(join(cwd, here), "utf8")).toBe(document.content);
    expect(await readdir(join(cwd, here, ".."))).toEqual([...others, "x"]);
  },
);

test("a local directory of the name is never replaced, and one on the server is listed", async () => {
  const server = await startServer({ files: { "x/y": "y", z: "z" } });
  const cwd = await temporaryDirectory();
  for (const name of ["x", "z"]) await mkdir(join(cwd, name));
  expect(await run(["-q", server.url("/x")], { cwd })).toMatchObject({ status: 0, stdout: "y\n" });
  for (const option of ["-c", "-N", "-f"]) {
    const { status, stderr } = await run(["-q", option, server.url("/x")], { cwd });
    expect([status, stderr.split("\n")[1]]).toEqual([8, expect.stringContaining("/x/")]);
    const file = await run(["-q", option, server.url("/z")], { cwd });
    expect(file.stderr).toContain('cannot write "z": it is a directory');
    expect(file.status).toBe(3);
  }
  expect(await readdir(cwd, { recursive: true })).toEqual(["x", "z"]);
});

test("-nc leaves files alone: standard output and devices take bytes, whatever has their names", async () => {
  const server = await startServer({ files });
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, "-"), "");
  const urls = [server.url("/a.txt"), server.url("/a.txt"), server.url("/"), server.url("/")];
  const written = await run(["-q", "-nc", "-j2", "-O-", ...urls], { cwd });
  expect(written).toMatchObject({ status: 0, stdout: "first\nfirst\na.txt\na.txt\n" });
  const { stderr } = await run(["-nv", "-nc", "-O/dev/null", server.url("/a.txt")]);
  expect(stderr).toMatch(/^\/dev\/null: 6 B/);
});

test.each(["-nc", "-N", "-c", "-nc -j3", "-N -j3", "-c -j3"])(
  "one URL twice is fetched once: %s",
  async (words) => {
    const server = await startServer({ files });
    const urls = Array.from({ length: 3 }, () => server.url("/a.txt"));
    const { cwd, status, stderr } = await run(["-q", ...words.split(" "), ...urls]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(await readdir(cwd)).toEqual(["a.txt"]);
    expect(server.commands.filter((command) => command === "RETR a.txt")).toHaveLength(1);
  },
);

/** What somebody gets who installs the package: a program and a manual page that work. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { startServer } from "./support/start-server.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const execute = promisify(execFile);

test("npm pack, installed globally into an empty prefix, gives ftpull and its manual page", async () => {
  const directory = await temporaryDirectory();
  // The program is built already, and other tests are running it.
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", directory];
  const { stdout } = await execute("npm", pack);
  const [{ filename, files, unpackedSize }] = JSON.parse(stdout) as [Packed];
  expect(unpackedSize).toBeLessThan(450_000);
  expect(files.map(({ path }) => path).toSorted()).toEqual([
    "LICENSE",
    "README.md",
    "bin/code-cache.js",
    "bin/ftpull.js",
    "bin/package.json",
    "dist/ftpull.cjs",
    "dist/help.txt",
    "dist/manual.gz",
    "man/ftpull.1",
    "package.json",
  ]);

  const prefix = join(directory, "prefix");
  const tarball = join(directory, filename);
  await execute("npm", ["install", "--global", "--prefer-offline", "--prefix", prefix, tarball]);
  const env = { PATH: `${prefix}/bin:${process.env["PATH"]}`, HOME: directory };
  const installed = async (command: string, ...words: string[]) =>
    (
      await execute(command, words, {
        cwd: directory,
        env: { ...env, MANPATH: `${prefix}/share/man` },
      })
    ).stdout;
  expect(await installed("ftpull", "--version")).toBe(`ftpull ${packageJson.version}\n`);
  expect(await installed("man", "ftpull")).toMatch(
    /NAME\s+ftpull \S+ fetch what an ftp: URL names/,
  );
  // npm 12 and later give it to no man(1).
  expect(await installed("ftpull", "--manual")).toMatch(/^FTPULL\(1\)[^]*\nNAME\n +ftpull - fetch/);

  // What is loaded only when it is used is there, too.
  const server = await startServer({ files: { x: "text\n" } });
  expect(await installed("ftpull", "-O", "-", server.url("/x"))).toBe("text\n");
}, 600_000);

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
  readonly unpackedSize: number;
}

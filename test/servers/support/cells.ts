/** The columns of the table: what is asked of each server, and what is right. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Login } from "../../real/support/servers.ts";
import { listed, octets, text, tree, urlPath, utf8Octets } from "../../real/support/tree.ts";
import { runInRealTime } from "../../support/run-here.ts";
import type { RunResult } from "../../support/run.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

export interface Asking {
  readonly url: (path: string) => string;
  readonly login: Login | undefined;
  readonly urlAs: (path: string, login: Login) => string;
  /** Options of every run. */
  readonly options: readonly string[];
  /** Called with each run's result. */
  readonly seen: (result: RunResult) => void;
}

type Ask = (asking: Asking) => Promise<void>;

export type Cell =
  | "file"
  | "text"
  | "listing"
  | "missing"
  | "directory"
  | "wrong password"
  | "tree"
  | "second tree"
  | "leading blank"
  | "trailing blank"
  | "UTF-8"
  | "-c"
  | "-s 4"
  | "glob"
  | "--verify"
  | "--active"
  | "TLS"
  | "IPv6";

const partial = octets(100_000);
const whole = octets(300_000);

const file: Ask = async (asking) => {
  const { cwd } = await right(asking, [asking.url("/300k.bin")]);
  expect(readFileSync(join(cwd, "300k.bin")).equals(whole)).toBe(true);
};

export const cells: Readonly<Record<Cell, Ask>> = {
  file,
  text: async (asking) => {
    const { stdout } = await right(asking, ["-O", "-", asking.url("/text.txt;type=a")]);
    expect(stdout).toBe(text);
  },
  listing: async (asking) => {
    const { stdout } = await right(asking, [asking.url("/docs/")]);
    expect(stdout.split("\n").toSorted()).toEqual(["", ...listed].toSorted());
  },
  missing: async (asking) => {
    const result = await run(asking, [asking.url("/no-such-file")]);
    expect(result).toMatchObject({ status: 8, stdout: "" });
    expect(readdirSync(result.cwd)).toEqual([]);
  },
  directory: async (asking) => {
    const { stdout } = await right(asking, [asking.url("/docs")]);
    expect(stdout.split("\n").toSorted()).toEqual(["", ...listed].toSorted());
  },
  "wrong password": async (asking) => {
    const user = asking.login?.user ?? "frank";
    const login = { user, password: "not-the-password" };
    const result = await run(asking, ["-v", asking.urlAs("/300k.bin", login)]);
    expect(result).toMatchObject({ status: 6, stdout: "" });
    expect(result.stderr.match(/^\d*> PASS /gm)).toHaveLength(1);
  },
  tree: async (asking) => {
    const { cwd } = await right(asking, ["-r", "-nH", "--cut-dirs=1", asking.url("/docs/")]);
    expect(read(cwd)).toEqual(tree);
  },
  "second tree": async (asking) => {
    const words = ["-v", "-r", "-nH", "--cut-dirs=1", asking.url("/docs/")];
    const cwd = await temporaryDirectory();
    await right(asking, words, cwd);
    const { stderr } = await right(asking, words, cwd);
    expect(stderr).not.toMatch(/^\d*> RETR /m);
    expect(read(cwd)).toEqual(tree);
  },
  "leading blank": (asking) => named(asking, " leading"),
  "trailing blank": (asking) => named(asking, "trailing "),
  "UTF-8": (asking) => named(asking, "n\u00e4h.txt"),
  "-c": async (asking) => {
    const cwd = await temporaryDirectory();
    writeFileSync(join(cwd, "300k.bin"), partial);
    const { stderr } = await right(asking, ["-v", "-c", asking.url("/300k.bin")], cwd);
    expect(readFileSync(join(cwd, "300k.bin")).equals(whole)).toBe(true);
    expect(stderr).toMatch(/^< 350/m);
  },
  "-s 4": async (asking) => {
    const { cwd, stderr } = await right(asking, [
      "-v",
      "-s",
      "4",
      "--limit-rate=3M",
      asking.url("/10m.bin"),
    ]);
    expect(readFileSync(join(cwd, "10m.bin")).equals(octets(10_000_000))).toBe(true);
    expect(stderr).toMatch(/^\d+< 350/m);
  },
  glob: async (asking) => {
    const { cwd } = await right(asking, [asking.url("/docs/*.txt")]);
    const expected = listed.filter((name) => name.endsWith(".txt"));
    expect(readdirSync(cwd).toSorted()).toEqual(expected.toSorted());
  },
  "--verify": async (asking) => {
    const { stdout } = await right(asking, ["--json", "--verify", asking.url("/sums/x.bin")]);
    expect(JSON.parse(stdout)).toMatchObject({ verified: { algorithm: "sha256" } });
  },
  "--active": async (asking) => {
    await file({ ...asking, options: [...asking.options, "--active"] });
  },
  TLS: async (asking) => {
    await file(asking);
    await cells.listing(asking);
  },
  IPv6: file,
};

/** Fetches a file of names/. */
async function named(asking: Asking, name: string): Promise<void> {
  const { cwd } = await right(asking, [asking.url(`/names/${name}`)]);
  expect(read(cwd)).toEqual({ [name]: name });
}

async function run(asking: Asking, words: readonly string[], cwd?: string): Promise<RunResult> {
  const options = cwd === undefined ? {} : { cwd };
  const common = ["--no-input", "--timeout", "10", "--tries", "2", "--progress", "none"];
  const result = await runInRealTime([...common, ...asking.options, ...words], options);
  asking.seen(result);
  return result;
}

/** A run that ends with status 0. */
async function right(asking: Asking, words: readonly string[], cwd?: string): Promise<RunResult> {
  const result = await run(asking, words, cwd);
  expect(result.status, result.stderr.slice(-2000)).toBe(0);
  return result;
}

/** The files of a directory, by their paths. */
function read(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(directory, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(join(directory, name), "utf8")]),
  );
}

/** A path as a URL has it, with patterns and a typecode. */
export const encoded = (path: string): string =>
  urlPath(utf8Octets(path)).replaceAll("%2A", "*").replace("%3Btype%3D", ";type=");

/** Who may import whom, and who may touch the process: the plan of the house, held against the code. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/**
 * The folders that each may import, beside its own, `errors.ts`, `hints.ts`, `clock.ts`, `changed.ts`, `tries.ts` and `text`; `type ` is for
 * types only. `src/x.ts` counts as the folder `x`.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  cli: ["run", "options", "terminal"],
  run: [
    "options",
    "terminal",
    "documents",
    "login",
    "checksums",
    "ftp",
    "net",
    "listing",
    "files",
    "url",
  ],
  terminal: ["type documents", "type login"],
  documents: ["ftp", "listing", "files", "checksums", "url"],
  login: ["type ftp", "files", "url"],
  checksums: ["files"],
  options: ["checksums"],
  ftp: ["net", "listing", "url"],
  net: [],
  listing: [],
  files: ["url"],
  url: [],
  text: [],
  errors: [],
  hints: [],
  clock: [],
  changed: [],
  tries: [],
  build: ["options"],
};

const forAll = ["errors", "hints", "clock", "changed", "tries", "text"];

const importersOf: Readonly<Record<string, RegExp>> = {
  commander: /^options\/program\.ts$/,
  "cli-progress": /^terminal\/display\.ts$/,
  enquirer: /^terminal\/prompt\.ts$/,
  "basic-ftp": /^ftp\/control\//,
};

interface Import {
  readonly module: string;
  readonly typesOnly: boolean;
  readonly isLazy: boolean;
}

const statement =
  /^(?:import|export)\b(?<what>[^;"]*?)\bfrom "(?<from>[^"]+)"|import\("(?<lazy>[^"]+)"\)|^import "(?<bare>[^"]+)"/gm;

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => {
    const text = readFileSync(join("src", path), "utf8");
    return { path, text, imports: [...text.matchAll(statement)].map(importOf) };
  });

function importOf({ groups = {} }: RegExpMatchArray): Import {
  const { what = "", from, lazy, bare } = groups;
  const names = what.replace(/[{}]/g, "").split(",");
  const areTypes =
    /^\s*type\b/.test(what) || names.every((name) => /^\s*(?:type\s.*)?$/s.test(name));
  return {
    module: from ?? lazy ?? bare ?? "",
    typesOnly: what !== "" && areTypes,
    isLazy: lazy !== undefined,
  };
}

const folderOf = (path: string): string => path.replace(/(?:\/.*|\.ts)$/, "");
const isOwn = (module: string): boolean => module.startsWith(".") && module.endsWith(".ts");

test("every folder is in the table", () => {
  const folders = new Set(files.map(({ path }) => folderOf(path)));
  expect([...folders].toSorted()).toEqual(Object.keys(mayImport).toSorted());
});

test("every file imports what its folder may", () => {
  const refused = files.flatMap(({ path, imports }) => {
    const own = folderOf(path);
    const allowed = new Set([own, ...forAll, ...(mayImport[own] ?? [])]);
    return imports
      .filter(({ module }) => isOwn(module))
      .map(({ module, typesOnly }) => ({
        folder: folderOf(join(dirname(path), module)),
        typesOnly,
      }))
      .filter(
        ({ folder, typesOnly }) =>
          !allowed.has(folder) && !(typesOnly && allowed.has(`type ${folder}`)),
      )
      .map(({ folder }) => `${path} imports ${folder}`);
  });
  expect(refused).toEqual([]);
});

/** Files that import each other in a circle: sets of files from each of which all others are reached. */
function circles(): string[][] {
  const reached = new Map(files.map(({ path }) => [path, reachedFrom(path)]));
  const found = files
    .filter(({ path }) => reached.get(path)?.has(path))
    .map(({ path }) => [...reached.keys()].filter((one) => isMutual(one, path)).join(", "));
  return [...new Set(found)].map((paths) => paths.split(", "));

  function isMutual(one: string, other: string): boolean {
    return reached.get(one)?.has(other) === true && reached.get(other)?.has(one) === true;
  }
}

/** Files that this one imports, directly or not, types included. */
function reachedFrom(path: string, reached = new Set<string>()): Set<string> {
  for (const { module } of files.find((one) => one.path === path)?.imports ?? []) {
    const other = join(dirname(path), module);
    if (!isOwn(module) || reached.has(other)) continue;
    reached.add(other);
    reachedFrom(other, reached);
  }
  return reached;
}

test("no files import each other in a circle, types included", () => {
  expect(circles()).toEqual([]);
});

const map = readFileSync("src/README.md", "utf8");

test("the map has the table of imports", () => {
  const rows = [...map.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm)].map(
    ([, folder, list = ""]) => [
      folder,
      list === "nothing else"
        ? []
        : list.split(", ").map((name) => name.replace("types of", "type")),
    ],
  );
  const shared = new Set<string>(forAll.filter((name) => name !== "text"));
  const folders = Object.entries(mayImport).filter(([folder]) => !shared.has(folder));
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(folders));
});

test("the files and functions that the map names exist", () => {
  const named = [...map.matchAll(/`([\w/-]+\.(?:test\.)?ts)`(?:\s+`(\w+)`)?/g)];
  expect(named.length).toBeGreaterThan(30);
  for (const [, path = "", name] of named) {
    const found = files.find((one) => one.path === path || one.path.endsWith(`/${path}`));
    const text = found?.text ?? readFileSync(path, "utf8");
    if (name !== undefined) expect(text, path).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

/** The files that are loaded with this one. */
function loadedWith(path: string, loaded = new Set<string>()): Set<string> {
  const file = files.find((one) => one.path === path);
  if (file === undefined || loaded.has(path)) return loaded;
  loaded.add(path);
  for (const { module, typesOnly, isLazy } of file.imports)
    if (isOwn(module) && !typesOnly && !isLazy) loadedWith(join(dirname(path), module), loaded);
  return loaded;
}

test("--explain needs no sockets and sessions", () => {
  const loaded = [...loadedWith("run/explain.ts")];
  expect(loaded).toContain("errors.ts");
  expect(loaded.filter((one) => /^net\/|\bsession/.test(one))).toEqual([]);
  expect([...loadedWith("run/run.ts")]).toContain("ftp/session.ts");
});

test("each runtime package is imported in one place", () => {
  for (const { path, imports } of files)
    for (const { module } of imports) {
      const [name = ""] = module.split("/");
      expect(path, module).toMatch(importersOf[name] ?? /^/);
    }
});

test("only run/ and the command line's own files know the settings", () => {
  const strangers = files.filter(
    ({ path, text }) => /\bSettings\b/.test(text) && !/^(?:cli\.ts|run\/|options\/)/.test(path),
  );
  expect(strangers.map(({ path }) => path)).toEqual([]);
});

test("only the top reaches for the terminal and the process's end", () => {
  for (const { path, text } of files) {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    expect(code, path).not.toMatch(/\bconsole\./);
    // Only a run that is interrupted may cut off a pipe.
    if (path !== "run/interruptions.ts") expect(code, path).not.toMatch(/process\.exit\(/);
    const atTop = /^(?:cli\.ts|run\/|build\/|terminal\/prompt\.ts)/.test(path);
    if (!atTop) expect(code, path).not.toMatch(/process\.(stdout|stderr|exitCode)/);
  }
});

/** Who may import whom, and who may touch the process: the plan of the house, held against the code. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** From the top down; a folder, with those in it, may import its own files and what stands below. */
const layers = ["", "terminal", "transfer", "session", "local", "url"];

const onlyImporters: Record<string, string> = {
  commander: "command-line.ts",
  "cli-progress": "terminal/progress-bar.ts",
  enquirer: "terminal/prompt.ts",
};

const sources = readdirSync("src", { recursive: true, encoding: "utf8" });
const files = sources
  .filter((path) => path.endsWith(".ts"))
  .map((path) => {
    const text = readFileSync(join("src", path), "utf8");
    const found = text.matchAll(/(?:from|import\() ?"([^"]+)"|^import "([^"]+)"/gm);
    const imports = [...found].map(([, from, bare]) => from ?? bare ?? "");
    return { path, text, imports };
  });

const folderOf = (path: string): string => (path.includes("/") ? (path.split("/")[0] ?? "") : "");
const layerOf = (path: string): number => layers.indexOf(folderOf(path));
const targetOf = (path: string, imported: string): string => join(dirname(path), imported);
const local = (imported: string): boolean => imported.startsWith(".") && imported.endsWith(".ts");

test.each(files)("$path imports downwards only", ({ path, imports }) => {
  const upward = imports
    .filter(local)
    .map((imported) => targetOf(path, imported))
    .filter((target) => target !== "errors.ts" && layerOf(target) < layerOf(path));
  expect(upward).toEqual([]);
});

test("no import goes round in a circle", () => {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    expect(trail, `a circle through ${path}`).not.toContain(path);
    if (done.has(path)) return;
    const imports = files.find((file) => file.path === path)?.imports ?? [];
    for (const imported of imports.filter(local)) visit(targetOf(path, imported), [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
});

test("each runtime package has one importer, and basic-ftp one folder", () => {
  for (const { path, imports } of files) {
    for (const imported of imports) {
      const only = onlyImporters[imported];
      if (only !== undefined) expect(path).toBe(only);
      if (/^basic-ftp(?:\/|$)/.test(imported)) expect(folderOf(path)).toBe("session");
    }
  }
});

test("only the top reaches for the terminal and the process's end", () => {
  for (const { path, text } of files) {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    expect(code, path).not.toMatch(/\bconsole\./);
    // Only a run that is interrupted may cut off a pipe.
    if (path !== "interruptions.ts") expect(code, path).not.toMatch(/process\.exit\(/);
    const atTop = layerOf(path) === 0 || path === "terminal/prompt.ts";
    if (!atTop) expect(code, path).not.toMatch(/process\.(stdout|stderr|exitCode)/);
  }
});

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/options/command-line.ts";
import { fillManual, pageText } from "../../src/options/manual.ts";
import { environment, exitStatuses, options } from "../../src/options/table.ts";
import type { OptionRecord } from "../../src/options/table.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";
import { commandsIn } from "../support/shell.ts";

const manual = readFileSync("man/ftpull.1", "utf8");
const text = readFileSync("man/ftpull.txt", "utf8");
const readme = readFileSync("README.md", "utf8");
/** The first cells of the table for users of wget and curl. */
const typedThere = /^\| `(?:wget|curl|lftp>) [^|]*\|/gm;
const records = Object.values<OptionRecord>(options);

const hasMandoc = spawnSync("mandoc").error === undefined || process.env["CI"] !== undefined;

test("man/ftpull.1 is what npm run docs makes of it", () => {
  expect(fillManual(manual)).toBe(manual);
});

test.skipIf(!hasMandoc)("man/ftpull.txt is what npm run docs makes of man/ftpull.1", () => {
  expect(pageText("man/ftpull.1")).toBe(text);
});

test("the text fits 80 columns and has no overstrikes", () => {
  expect(text.split("\n").filter((line) => line.length > 80 || line.includes("\b"))).toEqual([]);
});

test("a block of another time is replaced", () => {
  const old = manual.replace(/(?<=begin statuses\n)[^]*(?=\.\\" end statuses)/, ".It Li 0\nold\n");
  expect(old).not.toBe(manual);
  expect(fillManual(old)).toBe(manual);
});

test("a page without the place of a block is an error that names it", () => {
  expect(() => fillManual("")).toThrow('no line ".\\" begin options"');
});

test("every option that the documents name exists", () => {
  const names = new Set(records.map(({ long }) => long));
  const inManual = [...manual.matchAll(/\bFl -([a-z0-9-]+)/g)].map(([, name]) => `--${name}`);
  const here = readme.replaceAll(typedThere, "");
  const inReadme = here.match(/(?<![\w<!-])--[a-z][a-z0-9-]*/g) ?? [];
  const others = new Set(["--global", "--retry"]);
  expect(
    [...inManual, ...inReadme].filter((name) => !names.has(name) && !others.has(name)),
  ).toEqual([]);
  expect(new Set(inManual)).toEqual(names);
});

test("every exit status and variable is documented in both", () => {
  for (const { status, meaning } of exitStatuses) {
    expect(manual).toContain(`.It Li ${status}\n`);
    expect(readme).toContain(`| ${status} | ${meaning} |`);
  }
  for (const { name } of environment) expect(manual).toContain(`.It Ev ${name}\n`);
});

test("the limits of a run are listed, and that a server that sends one octet a second has none", () => {
  const limits = /^\.Sh LIMITS\n([^]*?)^\.Sh /m.exec(manual)?.[1] ?? "";
  expect(limits).toMatch(/^\.Fl -timeout\n[^]*^\.Fl -tries\n/m);
  expect(limits).toContain("one octet a second is not given up");
});

describe("every example can be typed as it stands:", () => {
  const blocks = [...readme.matchAll(/```\w+\n([^]*?)```/g)].map(([, block = ""]) => block);
  const ofReadme = blocks.join("\n").replace(/^(\$|- run:) /gm, "");
  const ofManual = [...manual.matchAll(/^\.Bd .*\n([^]*?)^\.Ed/gm)].map(([, block = ""]) => block);
  const ofTable = readme.match(/^\| `(?:wget|curl|lftp>) .*/gm) ?? [];
  const typedHere = ofTable.flatMap((row) => row.replaceAll(typedThere, "").match(/`ftpull .*?`/g));
  const ofUsers = typedHere.join("\n").replaceAll("`", "").replaceAll("URL", "ftp://h/x");
  const script = `${ofReadme}\n${ofUsers}\n${ofManual.join("\n")}`
    .replace(/\\e\n/g, " ")
    .replace(/\\-/g, "-")
    .replace(/\\\(aq/g, "'");
  const commands = commandsIn(script, "ftpull");

  test("there are some", () => {
    expect(commands.length).toBeGreaterThan(90);
  });

  test.each(commands.map((argv) => [argv.join(" "), argv] as const))("ftpull %s", (_, argv) => {
    const result = parseCommandLine(argv);
    if (result.action === "completion") return;
    if (result.action !== "run") throw new Error(`asks for ${result.action}`);
    const { urls, base } = result.settings;
    if (base === undefined) for (const url of urls) expect(parseFtpUrl(url).warnings).toEqual([]);
  });
});

test.skipIf(!hasMandoc)("mandoc finds nothing to complain about", () => {
  const mandoc = spawnSync("mandoc", ["-T", "lint", "-W", "warning", "man/ftpull.1"]);
  expect(mandoc.error).toBeUndefined();
  expect(mandoc.stdout.toString() + mandoc.stderr.toString()).toBe("");
});

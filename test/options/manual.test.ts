import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/options/command-line.ts";
import { foreignOptions } from "../../src/options/foreign.ts";
import { pageText } from "../../src/build/manual-text.ts";
import {
  environment,
  exitStatuses,
  namesOf,
  type OptionRecord,
  options,
} from "../../src/options/table.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";
import { commandsIn } from "../support/shell.ts";

const manual = readFileSync("man/ftpull.1", "utf8");
const text = readFileSync("man/ftpull.txt", "utf8");
const readme = readFileSync("README.md", "utf8");
const records = Object.values<OptionRecord>(options);

const hasMandoc = spawnSync("mandoc").error === undefined || process.env["CI"] !== undefined;

/** An example stands below the option that it uses. */
test.each(records)("the example below $long uses it", (record) => {
  const [, example] = /^\.Bd .*\n([^]*?)^\.Ed/m.exec(itemOf(record).text) ?? [];
  if (example === undefined) return;
  const words = example.replace(/\\-/g, "-").split(/\s+/);
  expect(namesOf(record).some((name) => words.some((word) => word.startsWith(name)))).toBe(true);
});

function itemOf({ long }: OptionRecord): { readonly tag: string; readonly text: string } {
  const items = manual.split(/^(?=\.It |\.El|\.Ss )/m).filter((item) => !item.includes(" Ta "));
  const own = items.filter((item) =>
    new RegExp(`^\\.It .*Fl -${long.slice(2)}(?: |\n)`).test(item),
  );
  expect(own, long).toHaveLength(1);
  const [tag = "", ...lines] = own[0]!.split("\n");
  return { tag, text: lines.join("\n") };
}

describe.each(records)("the page's entry of $long", (record) => {
  const { tag, text: words } = itemOf(record);

  test("has the names and the argument of the table", () => {
    const names = namesOf(record).map((name) => `Fl ${name.slice(1)}`);
    const argument = record.argument === undefined ? "" : ` Ar ${record.argument}`;
    expect(tag).toBe(`.It ${names.join(" , ")}${argument}`);
  });

  test("is of full sentences, with the default and what it needs", () => {
    expect(words).toMatch(/^(?:\.\w|[A-Z])/);
    if (record.default !== undefined) expect(words).toContain(`.Ql "\\&${record.default}"`);
    if (record.needs !== undefined)
      expect(words).toMatch(new RegExp(`^\\.Fl ${record.needs.slice(1)}(?: |$)`, "m"));
  });
});

test("one table of the page names the options that exclude each other", () => {
  const rows = records.flatMap(({ long, excludes }) =>
    excludes ? [`.It ${[long, ...excludes].map((name) => `Fl ${name.slice(1)}`).join(" , ")}`] : [],
  );
  const [, table = ""] = /cannot be combined with\n([^]*?)^\.El$/m.exec(manual) ?? [];
  expect(table.trim().split("\n")).toEqual(rows.map((row) => row.replace(" , ", " Ta ")));
});

test("the page has the headings of the table, in their order", () => {
  const [, section = ""] = /^\.Sh OPTIONS\n([^]*?)^\.Sh /m.exec(manual) ?? [];
  const headings = [...section.matchAll(/^\.Ss (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(records.flatMap(({ heading = [] }) => heading));
});

test.skipIf(!hasMandoc)("man/ftpull.txt is what npm run docs makes of man/ftpull.1", () => {
  expect(pageText("man/ftpull.1")).toBe(text);
});

test("the text fits 80 columns and has no overstrikes", () => {
  expect(text.split("\n").filter((line) => line.length > 80 || line.includes("\b"))).toEqual([]);
});

test("every option that the documents name exists", () => {
  const names = new Set(records.map(({ long }) => long));
  const inManual = [...manual.matchAll(/\bFl -([a-z0-9-]+)/g)].map(([, name]) => `--${name}`);
  const inReadme = readme.match(/(?<![\w<!-])--[a-z][a-z0-9-]*/g) ?? [];
  const others = new Set(["--global", "--ignore-missing", "--prefix"]);
  expect(
    [...inManual, ...inReadme].filter((name) => !names.has(name) && !others.has(name)),
  ).toEqual([]);
  expect(new Set(inManual)).toEqual(names);
});

function foreignEntries(): string[] {
  const named = new Map<string, Set<string>>();
  for (const [name, { words = "", advice }] of foreignOptions) {
    const nothing = advice === undefined ? "done anyway" : "an error says why";
    const becomes = words.replace(/^!/, "without ").replace(/[?{}]/g, "") || nothing;
    // The error shows what an option means with this argument.
    const isLeftOut = words === "" && advice !== undefined;
    const shown = isLeftOut ? name.replace(/=.*/, "") : name;
    named.set(becomes, (named.get(becomes) ?? new Set()).add(shown));
  }
  const page = (words: string) => words.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return [...named].map(([key, names]) => `.It ${page(key)}\n${page([...names].join(" "))}\n`);
}

test("the page says what the options of other programs become", () => {
  const [, section = ""] = /^\.Sh OPTIONS OF OTHER PROGRAMS\n([^]*?)^\.Sh /m.exec(manual) ?? [];
  const entries = section.match(/^\.It [^]*?(?=^\.It |^\.El)/gm);
  expect(entries).toEqual(foreignEntries());
});

test("every exit status and variable is documented in both", () => {
  for (const [status, meaning] of exitStatuses) {
    expect(manual).toContain(`.It Li ${status}\n`);
    expect(readme).toContain(`| ${status} | ${meaning} |`);
  }
  for (const [name] of environment) expect(manual).toContain(`.It Ev ${name}\n`);
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
  const inPlaceOfOthers = (manual.match(/^ftpull .*URL.*$/gm) ?? []).join("\n");
  const script =
    `${ofReadme}\n${inPlaceOfOthers.replaceAll("URL", "ftp://h/x")}\n${ofManual.join("\n")}`
      .replace(/\\e\n/g, " ")
      .replace(/\\-/g, "-")
      .replace(/\\\(aq/g, "'")
      .replace(/^alias \w+='(.*)'$/gm, "$1 ftp://h/x");
  const commands = commandsIn(script, "ftpull");

  test("there are some", () => {
    expect(commands.length).toBeGreaterThan(90);
  });

  test.each(commands.map((argv) => [argv.join(" "), argv] as const))("ftpull %s", (_, argv) => {
    const result = parseCommandLine(argv);
    if (result.action === "print") return;
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

/** The manual and the README against the option table: what they name exists, and what they show can be typed. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withOtherOptions } from "../../src/build/manual-text.ts";
import { exitStatus } from "../../src/errors.ts";
import { parseCommandLine } from "../../src/options/command-line.ts";
import { helpText } from "../../src/options/help.ts";
import { exclusions, optionGroups, options, shownOptions } from "../../src/options/table.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";
import { commandsIn } from "../support/shell.ts";

const manual = readFileSync("man/ftpull.1", "utf8");
const readme = readFileSync("README.md", "utf8");

const flag = (name: string): string => `Fl ${name.slice(1)}`;

function sectionOf(title: string): string {
  return new RegExp(`^\\.Sh ${title}\\n([^]*?)(?=^\\.Sh )`, "m").exec(manual)?.[1] ?? "";
}

test.each(shownOptions.map((row) => [row.name, row] as const))(
  "the page has one entry of %s, with its names, argument and default",
  (_, { names, argument, default: value }) => {
    const tag = `.It ${names.map(flag).join(" , ")}${argument === undefined ? "" : ` Ar ${argument}`}`;
    const entries = sectionOf("OPTIONS").split(/^(?=\.It |\.El)/m);
    const own = entries.filter((entry) => entry.startsWith(`${tag}\n`));
    expect(own, tag).toHaveLength(1);
    if (value !== undefined) expect(own[0]).toContain(`.Ql "\\&${value}"`);
  },
);

test("one table of the page names the options that exclude each other", () => {
  const nameOf = (key: string) => shownOptions.find((row) => row.key === key)!.name;
  const rows = Object.entries(exclusions).map(([key, others]) => {
    const excluded = others.split(" ").map((other) => flag(nameOf(other)));
    return `.It ${flag(nameOf(key))} Ta ${excluded.join(" , ")}`;
  });
  expect(manual.match(/^\.It .* Ta .*$/gm)).toEqual(rows);
});

test("the page has the groups of --help, in their order, and the rare options", () => {
  const titles = [...sectionOf("OPTIONS").matchAll(/^\.Ss (.*)$/gm)].map(([, title]) => title);
  expect(titles).toEqual([...optionGroups.map(([title]) => title), "Rare options"]);
});

test("the page is what npm run docs makes of the tables of other programs' options", () => {
  expect(withOtherOptions(manual)).toBe(manual);
});

test("every option and section that the documents name exists", () => {
  const aliases = options.flatMap((row) => row.aliases.map((alias) => alias.split("=")[0]));
  const known = new Set([...options.flatMap(({ names }) => names), ...aliases]);
  const inManual = [...manual.matchAll(/\bFl (-?[\w-]+)/g)].map(([, name]) => `-${name}`);
  const inReadme = readme.match(/(?<=`ftpull [^`\n]*)(?<![\w<!-])--[a-z][a-z0-9-]*/g) ?? [];
  expect([...inManual, ...inReadme].filter((name) => !known.has(name))).toEqual([]);
  const sections = [...manual.matchAll(/^\.S[hs] (.*)$/gm)].map(([, title]) => title);
  const named = [...manual.matchAll(/^\.Sx ([A-Z ]*[A-Z])/gm)].map(([, title]) => title);
  expect(sections).toEqual(expect.arrayContaining(named));
});

test("every exit status and variable is documented", () => {
  for (const status of [0, ...Object.values(exitStatus), 129, 130, 143]) {
    const [, meaning] = new RegExp(`^\\.It Li ${status}\n(.*)$`, "m").exec(manual) ?? [];
    expect(meaning, `${status}`).toBeTruthy();
    if (status < 100) expect(readme).toContain(`| ${status} | ${meaning} |`);
  }
  const names = helpText("all").match(/^ {2}[A-Za-z]+_[A-Za-z_]+(?= )/gm)!;
  for (const name of names) expect(manual).toContain(`.It Ev ${name.trim()}\n`);
});

describe("every example can be typed as it stands:", () => {
  const blocks = [...readme.matchAll(/```\w+\n([^]*?)```/g)].map(([, block = ""]) => block);
  const ofReadme = blocks.join("\n").replace(/^(\$|- run:) /gm, "");
  const ofManual = [...manual.matchAll(/^\.Bd .*\n([^]*?)^\.Ed/gm)].map(([, block = ""]) => block);
  const [, ofHelp = ""] = helpText("frequent").split("Examples:");
  const script = [ofReadme, ...ofManual, ofHelp]
    .join("\n")
    .replace(/\\e\n/g, " ")
    .replace(/\\-/g, "-")
    .replace(/\\\(aq/g, "'");
  const commands = commandsIn(script, "ftpull");

  test("there are some", () => {
    expect(commands.length).toBeGreaterThan(20);
  });

  test.each(commands.map((argv) => [argv.join(" "), argv] as const))("ftpull %s", (_, argv) => {
    const { urls = [] } = parseCommandLine(argv).settings ?? {};
    for (const url of urls) expect(parseFtpUrl(url).warnings).toEqual([]);
  });
});

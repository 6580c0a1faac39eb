/** Names that wget and curl have for the same: aliases that run, and hints for the others. */
import { describe, expect, test } from "vitest";
import { parseCommandLine, type Settings } from "../../src/options/command-line.ts";
import { hintsByName } from "../../src/options/hints.ts";
import type { OptionRow } from "../../src/options/option-row.ts";
import { options } from "../../src/options/table.ts";

const url = "ftp://h/x";

function settings(...argv: string[]): Settings {
  const parsed = parseCommandLine([...argv, url]).settings;
  if (parsed === undefined) throw new Error(`"${argv.join(" ")}" asks for a text`);
  return parsed;
}

describe("an alias is the option itself:", () => {
  test.each([
    ["--no-passive-ftp", "--active"],
    ["--cacert a.pem", "--ca-certificate a.pem"],
    ["--cert a --key b", "--certificate a --private-key b"],
    ["--insecure", "--no-check-certificate"],
    ["--retry 4", "--tries 5"],
    ["--retry=0", "--tries 1"],
    ["--connect-timeout 7", "--timeout 7"],
    ["--head", "--spider"],
    ["--output x", "-O x"],
    ["--output-dir d", "-P d"],
    ["--silent", "-q"],
    ["--server-response", "-v"],
    ["--list-only", "--format names"],
    ["-r --retr-symlinks", "-r --links follow"],
    ["--no-progress-meter", "--progress none"],
    ["--no-progress", "--progress none"],
    ["-q --show-progress", "-q --progress bar"],
    ["--ftp-user al --ftp-account x", "--user al --account x"],
    ["--ssl-reqd", "--tls"],
    ["--ipv6 --interface ::1", "-6 --bind-address ::1"],
    ["--no-use-server-timestamps", "--no-mtime"],
    ["--skip-existing", "-nc"],
    ["-np -e robots=off --execute=robots=off", ""],
    ["--location --fail --show-error --remote-name", ""],
    ["--passive-ftp --ftps-implicit --no-remove-listing", ""],
  ])("%s is %s", (alias, option) => {
    const expected = settings(...option.split(" ").filter(Boolean));
    expect({ ...settings(...alias.split(" ")), isDone: false }).toEqual(expected);
  });
});

describe("a name without an equal has a hint:", () => {
  test.each([...hintsByName])("%s: %s", (name, hint) => {
    for (const word of name.startsWith("--") ? [name, `${name}=x`] : [name, `-q${name.slice(1)}x`])
      expect(() => parseCommandLine([word, url])).toThrow(
        expect.objectContaining({ kind: "usage", message: `unknown option '${name}'`, hint }),
      );
  });

  test.each([["--pass", "secret"], ["--passw=secret"]])(
    "a beginning of --password is no other option, and shows nothing behind it: %s",
    (...words) => {
      const message = "unknown option '--password'";
      expect(() => parseCommandLine([...words, url])).toThrow(expect.objectContaining({ message }));
    },
  );

  test("forty at most, and none is an option or the beginning of one", () => {
    expect(hintsByName.size).toBeLessThanOrEqual(40);
    const names = options.flatMap((row) => row.names);
    for (const name of hintsByName.keys())
      if (name !== "--password") expect(names.filter((one) => one.startsWith(name))).toEqual([]);
  });
});

test("no name stands for two options", () => {
  const names = options.flatMap(namesOf);
  expect(new Set(names).size).toBe(names.length);
});

function namesOf({ names, aliases }: OptionRow): string[] {
  return [...names, ...aliases.map((alias) => alias.split("=")[0]!)];
}

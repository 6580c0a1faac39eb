import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { findNetrc, parseNetrc, readNetrc } from "../../src/login/netrc.ts";

describe("a netrc text", () => {
  const jane = { machine: "h", login: "jane", password: "p" };
  const withPassword = (password: string) => [{ machine: "h", password }];

  test.each([
    ["on several lines, with CRLF", "machine h\r\n\tlogin jane\r\n\tpassword p\r\n", [jane]],
    ["in any order", "machine h password p account a login jane", [{ ...jane, account: "a" }]],
    ["a password with #", "machine h password #a#b", withPassword("#a#b")],
    [
      "a comment line and one behind an entry",
      "# machine no\n#login no\nmachine h login jane # x y\npassword p",
      [jane],
    ],
    ["a quoted password", String.raw`machine h password "a \"b\\ c"`, withPassword('a "b\\ c')],
    [
      "a password with à in UTF-8, whose second octet is 160",
      "machine h password voil\xc3\xa01\xa0",
      withPassword("voil\xc3\xa01\xa0"),
    ],
    ["an empty quoted password", 'machine h password ""', withPassword("")],
    [
      "a backslash outside quotes",
      String.raw`machine h password a\ b\\c"`,
      withPassword('a b\\c"'),
    ],
    [
      "an unclosed quote ends with its line",
      'machine h password "a b\nlogin c',
      [{ machine: "h", password: "a b", login: "c" }],
    ],
    [
      "a macro is skipped to the blank line",
      "machine h login jane\nmacdef init\nmachine no\nlogin no\n\npassword p",
      [jane],
    ],
    ["unknown words", "machine h port 21 login jane password p", [jane]],
    ["nothing", " \n", []],
  ])("%s", (_claim, text, entries) => {
    expect(parseNetrc(text)).toEqual(entries);
  });
});

describe("the entry for a host", () => {
  const entries = parseNetrc(`
    default login any password d
    machine h login jane password first
    machine h login bob password second
    machine nobody password p`);

  test.each([
    ["h", undefined, "first"],
    ["H", "jane", "first"],
    ["h", "bob", "second"],
    ["h", "any", "d"],
    ["h", "other", undefined],
    ["elsewhere", undefined, "d"],
    ["nobody", "whoever", "p"],
  ])("%s, user %s", (host, user, password) => {
    expect(findNetrc(entries, host, user)?.password).toBe(password);
  });
});

describe("a netrc file", () => {
  let home: string;
  let file: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "ftpull-netrc-"));
    file = join(home, ".netrc");
    vi.stubEnv("HOME", home);
    vi.stubEnv("USERPROFILE", home);
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  });

  function read(path?: string) {
    const warnings: string[] = [];
    return { entries: readNetrc(path, (text) => void warnings.push(text)), warnings };
  }

  test("is ~/.netrc, as octets", () => {
    writeFileSync(file, "machine h login ü");
    expect(read()).toEqual({ entries: [{ machine: "h", login: "Ã¼" }], warnings: [] });
  });

  test("may begin with a byte order mark", () => {
    writeFileSync(file, "\ufeffmachine h login jane");
    expect(read().entries).toEqual([{ machine: "h", login: "jane" }]);
  });

  test("need not be there, unless it was named", () => {
    expect(read()).toEqual({ entries: [], warnings: [] });
    expect(() => read(file)).toThrow(expect.objectContaining({ kind: "file" }));
    expect(() => read(file)).toThrow(`cannot read "${file}": `);
  });

  test("that can't be read is a warning where nobody named it", () => {
    vi.stubEnv("HOME", file);
    writeFileSync(file, "");
    expect(read().warnings[0]).toContain(`cannot read "${join(file, ".netrc")}": `);
  });
});

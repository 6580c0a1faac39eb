/** Names with a leading dot, on servers without MLSD. */
import { describe, expect, it } from "vitest";
import { close, stall, transfer } from "../support/actions.ts";
import type { Action } from "../support/script.ts";
import { localFiles } from "../support/local-tree.ts";
import { startServer } from "../support/start-server.ts";
import { ftpull } from "./support/client.ts";

const files = { "d/.a": "1", "d/b": "2", "d/s/.c": "3", "d/s/e": "4" };
const all = { "d/.a": "1", "d/b": "2", "d/s/.c": "3", "d/s/e": "4" };
const visible = { "d/b": "2", "d/s/e": "4" };
const long = (...names: string[]): Action =>
  transfer({
    content: names.map((name) =>
      name.endsWith("/")
        ? `drwxr-xr-x 1 u g 1 Jan 2 2020 ${name.slice(0, -1)}\r\n`
        : `-rw-r--r-- 1 u g 1 Jan 2 2020 ${name}\r\n`,
    ),
  });

describe("a server without MLSD", () => {
  const modes: [
    claim: string,
    hidesDots: boolean,
    on: Record<string, Action>,
    listings: string[],
    found: Record<string, string>,
    said: string,
  ][] = [
    [
      "T4 LIST hides them: LIST -a is enough once it has shown the directory itself",
      true,
      {},
      ["LIST", "LIST -a", "LIST -a"],
      all,
      "",
    ],
    [
      "T4 LIST -a shows more, but not the directory itself: both are asked for each time",
      true,
      { "LIST#2": long(".a", "b", "s/"), "LIST#4": long(".c", "e") },
      ["LIST", "LIST -a", "LIST", "LIST -a"],
      all,
      "",
    ],
    [
      "T4 LIST -a is refused: it isn't asked for again",
      true,
      { "LIST -a": "550 -a: no such directory" },
      ["LIST", "LIST -a", "LIST"],
      visible,
      "",
    ],
    [
      "T4 LIST -a is empty, as for a name that doesn't exist: it isn't asked for again",
      true,
      { "LIST -a": transfer({ content: [] }) },
      ["LIST", "LIST -a", "LIST"],
      visible,
      "",
    ],
    [
      "T4 LIST -a lists a directory of that name: LIST counts, with a warning",
      true,
      { "LIST -a": long("other") },
      ["LIST", "LIST -a", "LIST", "LIST -a"],
      visible,
      '"LIST -a" lacks names of LIST: hidden files may be left out',
    ],
  ];

  it.each(modes)("%s", async (_claim, hidesDots, on, listings, found, said) => {
    const server = await startServer({ features: ["UTF8", "SIZE"], files, hidesDots, on });
    const { status, stderr, cwd } = await ftpull(["-r", server.url("/d/")]);
    expect(stderr).toContain(said);
    expect(localFiles(cwd)).toEqual(found);
    expect(status).toBe(0);
    const asked = server.commands.filter((command) => command.startsWith("LIST"));
    expect(asked).toEqual(listings);
  });

  it("T4 LIST that shows the directory itself is enough", async () => {
    const self = "drwxr-xr-x 2 u g 4096 Jan 2 2020 .\r\n";
    const on = { LIST: transfer({ content: [`${self}-rw-r--r-- 1 u g 1 Jan 2 2020 b\r\n`] }) };
    const server = await startServer({ features: ["UTF8"], files, on });
    const { status, cwd } = await ftpull(["-r", server.url("/d/")]);
    expect([status, localFiles(cwd)]).toEqual([0, { "d/b": "2" }]);
    expect(server.commands.filter((command) => command.startsWith("LIST"))).toEqual(["LIST"]);
  });

  it("T4 a directory with hidden names only is not empty", async () => {
    const server = await startServer({
      features: ["UTF8"],
      files: { "d/.a": "1" },
      hidesDots: true,
    });
    const { status, cwd } = await ftpull(["-r", server.url("/d/")]);
    expect([status, localFiles(cwd)]).toEqual([0, { "d/.a": "1" }]);
  });

  it("T4 a later directory of which LIST -a doesn't show the directory itself is asked by both", async () => {
    const on = { "LIST#3": transfer({ content: [] }) };
    const server = await startServer({ features: ["UTF8"], files, hidesDots: true, on });
    const { status, cwd } = await ftpull(["-r", server.url("/d/")]);
    expect([status, localFiles(cwd)]).toEqual([0, all]);
    const asked = server.commands.filter((command) => command.startsWith("LIST"));
    expect(asked).toEqual(["LIST", "LIST -a", "LIST -a", "LIST", "LIST -a"]);
  });

  it.each<[claim: string, action: Action]>([
    ["answered 450", "450 -a: No such file or directory"],
    ["answered 425", "425 Can't open data connection"],
    ["answered 451", "451 Local error in processing"],
    ["answered by a close", close],
    ["not answered", stall],
    ["cut before its first line", transfer({ first: 10, end: "reset", completion: "426 cut" })],
  ])(
    "T4 LIST -a that is %s isn't known: LIST alone, and no try is spent",
    async (_claim, action) => {
      const on = { "LIST -a": action };
      const server = await startServer({ features: ["UTF8", "SIZE"], files, hidesDots: true, on });
      const words = ["-r", "-T", "5", server.url("/d/")];
      const { status, stderr, cwd } = await ftpull(words);
      expect([status, localFiles(cwd)]).toEqual([0, visible]);
      expect(stderr).toContain('"LIST -a" failed: hidden files may be left out: ');
      expect(stderr).not.toContain("trying again");
      const asked = server.commands.filter((command) => command.startsWith("LIST"));
      expect(asked).toEqual(["LIST", "LIST -a", "LIST"]);
    },
  );

  it.each<[claim: string, on: (self: Action) => Record<string, Action>]>([
    ["first", (self) => ({ "LIST#2": self })],
    ["second", (self) => ({ "LIST#3": self })],
  ])(
    "T4 a %s LIST -a that breaks off after the directory itself is tried again",
    async (...given) => {
      const self = transfer({ first: 80, completion: "426 cut" });
      const on = given[1](self);
      const server = await startServer({ features: ["UTF8"], files, hidesDots: true, on });
      const { status, cwd } = await ftpull(["-r", server.url("/d/")], { tries: 2 });
      expect([status, localFiles(cwd)]).toEqual([0, all]);
    },
  );

  const five = Object.fromEntries(["1", "2", "3", "4", "5"].map((name) => [`d/${name}/x`, name]));
  const lists = async (on: Record<string, Action>) => {
    const options = { files: { ...five, "d/1/.a": "5" }, directories: ["d/0"], hidesDots: true };
    const server = await startServer({ features: ["UTF8"], ...options, on });
    const { status, cwd } = await ftpull(["-r", server.url("/d/")]);
    expect([status, localFiles(cwd)]).toMatchObject([0, five]);
    return server.commands.filter((command) => command.startsWith("LIST"));
  };
  const both = ["LIST", "LIST -a"];

  it("T4 LIST -a that shows nothing more in three directories with entries isn't asked again", async () => {
    const listed = [...both, ...both, ...both, ...both, "LIST", "LIST", "LIST"];
    const top = long(...["0", "1", "2", "3", "4", "5"].map((name) => `${name}/`));
    const same = { "LIST#2": top, "LIST#4": transfer({ content: [] }) };
    expect(await lists({ ...same, "LIST#6": long("x"), "LIST#8": long("x") })).toEqual(listed);
  });

  it("T4 LIST -a that has shown more, but not the directory itself, is asked each time", async () => {
    const listed = Array.from({ length: 7 }, () => both).flat();
    const top = long(...["0", "1", "2", "3", "4", "5"].map((name) => `${name}/`));
    const further = ["LIST#8", "LIST#10", "LIST#12", "LIST#14"].map((each) => [each, long("x")]);
    const same = { "LIST#2": top, "LIST#4": transfer({ content: [] }) };
    const more = { "LIST#6": long(".a", "x") };
    const asked = await lists({ ...same, ...more, ...Object.fromEntries(further) });
    expect(asked).toEqual(listed);
  });

  it("T4 a superset that is shown without the directory itself is used", async () => {
    const on = {
      LIST: long("b"),
      "LIST -a": long("b", ".a"),
    };
    const server = await startServer({ features: ["UTF8"], files, on });
    const { status, cwd } = await ftpull(["-r", server.url("/d/")]);
    expect([status, localFiles(cwd)]).toEqual([0, { "d/.a": "1", "d/b": "2" }]);
    expect(server.commands.filter((command) => command.startsWith("LIST"))).toEqual([
      "LIST",
      "LIST -a",
    ]);
  });
});

it("T4 LIST -a that lacks names of LIST isn't used, also where it shows the directory itself", async () => {
  const self =
    "total 8\r\ndrwxr-xr-x 2 a a 4096 Jan 02 2020 .\r\ndrwxr-xr-x 2 a a 4096 Jan 02 2020 ..\r\n";
  const server = await startServer({
    files: { "p/a": "1", "p/b": "2" },
    features: ["UTF8", "SIZE", "MDTM"],
    on: { "LIST -a": transfer({ content: self }) },
  });
  const { cwd, status } = await ftpull(["-r", server.url("/p/")]);
  expect(localFiles(cwd)).toEqual({ "p/a": "1", "p/b": "2" });
  expect(status).toBe(0);
});

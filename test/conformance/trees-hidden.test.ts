/** Names with a leading dot, on servers without MLSD. */
import { describe, expect, it } from "vitest";
import { close, stall, transfer } from "../support/actions.ts";
import { localFiles } from "../support/local-tree.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { ftpull } from "./support/client.ts";

const visible = { "d/b": "2", "d/s/e": "4" };
const all = { ...visible, "d/.a": "1", "d/s/.c": "3" };

/** A listing of these names; a directory's ends in "/". */
const long = (...names: string[]): Action =>
  transfer({
    content: names.map((name) => {
      const [kind, own] = name.endsWith("/") ? ["d", name.slice(0, -1)] : ["-", name];
      return `${kind}rw-r--r-- 1 u g 1 Jan 2 2020 ${own}\r\n`;
    }),
  });

const empty = transfer({ content: [] });

interface Settings {
  readonly files?: Record<string, string>;
  readonly directories?: string[];
  readonly tries?: number;
}

/** Fetches a tree from a server whose LIST hides names with a leading dot, unless `on` lists others. */
async function fetched(on: Record<string, Action>, settings: Settings = {}) {
  const { tries = 1, files = all, directories = [] } = settings;
  const features = ["UTF8", "SIZE"];
  const server = await startServer({ features, hidesDots: true, files, directories, on });
  const { status, stderr, cwd } = await ftpull(["-r", "-T", "5", server.url("/d/")], { tries });
  const asked = server.sent("LIST");
  return { status, stderr, found: localFiles(cwd), asked: asked.join(", ") };
}

describe("a server without MLSD", () => {
  const bothEachTime = "LIST, LIST -a, LIST, LIST -a";
  const allOnce = "LIST, LIST -a, LIST -a";
  const plainOnce = "LIST, LIST -a, LIST";
  const noDirectory = "550 -a: no such directory";
  const lacking = '"LIST -a" lacks names of LIST: hidden files may be left out';
  const refused = (reply: string): string =>
    `"LIST -a" was refused (cannot list the directory: server replied ${reply.replace(" ", ' "')}"): hidden files may be`;

  it.each<[claim: string, on: Record<string, Action>, asked: string, found: object, said?: string]>(
    [
      ["is enough once it has shown the directory itself", {}, allOnce, all],
      [
        "is enough once it has shown more",
        { "LIST#2": long(".a", "b", "s/"), "LIST#3": long(".c", "e") },
        allOnce,
        all,
      ],
      [
        "doesn't show a later directory itself: it is asked by both",
        { "LIST#3": empty },
        "LIST, LIST -a, LIST -a, LIST, LIST -a",
        all,
      ],
      ["is refused", { "LIST -a": noDirectory }, plainOnce, visible, refused(noDirectory)],
      [
        "is refused for now, since there is no file of that name",
        { "LIST -a": "450 -a: No such file or directory" },
        plainOnce,
        visible,
        refused("450 -a: No such file or directory"),
      ],
      [
        "is refused in a later directory",
        { "LIST#3": noDirectory, "LIST#5": noDirectory },
        "LIST, LIST -a, LIST -a, LIST, LIST -a",
        { ...visible, "d/.a": "1" },
        refused(noDirectory),
      ],
      ["is empty, as for an unknown name", { "LIST -a": empty }, plainOnce, visible],
      ["lists another directory", { "LIST -a": long("other") }, bothEachTime, visible, lacking],
      ["shows itself alone", { "LIST -a": long("./", "../") }, plainOnce, visible],
      [
        "is a superset without the directory itself",
        { LIST: long("b"), "LIST -a": long("b", ".a") },
        "LIST, LIST -a",
        { "d/b": "2", "d/.a": "1" },
      ],
      ["isn't needed where LIST shows itself", { LIST: long("./", "b") }, "LIST", { "d/b": "2" }],
    ],
  )("T4 LIST -a %s", async (_claim, on, asked, found, said = "") => {
    const { stderr, ...result } = await fetched(on);
    expect(result).toEqual({ status: 0, found, asked });
    expect(stderr).toContain(said);
    expect(stderr).not.toContain("trying again");
  });

  it("T4 a directory with hidden names only is not empty", async () => {
    const files = { "d/.a": "1" };
    expect(await fetched({}, { files })).toMatchObject({ status: 0, found: files });
  });

  const failures: [claim: string, action: Action, status: number][] = [
    ["421", ["421 Too many users", close], 8],
    ["425", "425 Can't open data connection", 8],
    ["451", "451 Local error in processing", 8],
    ["a connection that is lost", close, 4],
    ["silence", stall, 4],
    ["a reset data connection", transfer({ first: 10, end: "reset", completion: "426 cut" }), 8],
    ["a listing that breaks off", transfer({ first: 80, completion: "426 cut" }), 8],
  ];

  it.each(
    failures.flatMap(([claim, action]) =>
      ["LIST#2", "LIST#3"].map((at) => [claim, at, action] as const),
    ),
  )("T4 LIST -a that fails for now is tried again: %s (%s)", async (_claim, command, action) => {
    const result = await fetched({ [command]: action }, { tries: 2 });
    expect(result).toMatchObject({ status: 0, found: all });
  });

  it.each(failures)(
    "T4 LIST -a that goes on failing is a failure, and what LIST shows arrives: %s",
    async (_claim, action, expected) => {
      const { status, stderr, found } = await fetched({ "LIST -a": action }, { tries: 2 });
      expect(stderr).toContain("trying again");
      expect([status, found]).toEqual([expected, visible]);
    },
  );
});

describe("directories of which LIST -a doesn't show themselves", () => {
  const five = Object.fromEntries(["1", "2", "3", "4", "5"].map((name) => [`d/${name}/x`, name]));
  const files = { ...five, "d/4/.a": "5" };
  const on = {
    "LIST#2": long("0/", "1/", "2/", "3/", "4/", "5/"),
    "LIST#3": empty,
    ...Object.fromEntries(["5", "6", "7", "9"].map((number) => [`LIST#${number}`, long("x")])),
    "LIST#8": long(".a", "x"),
  };

  it("T4 LIST -a is enough once it has shown what LIST shows; an empty one is compared", async () => {
    const found = await fetched(on, { files, directories: ["d/0"] });
    expect(found).toMatchObject({ status: 0, found: files });
    expect(found.asked).toBe(
      "LIST, LIST -a, LIST -a, LIST, LIST -a, LIST -a, LIST -a, LIST -a, LIST -a",
    );
  });
});

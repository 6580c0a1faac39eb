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
  const lacking = '"LIST -a" lacks names of LIST: hidden files may be left out';
  const failed = '"LIST -a" failed: hidden files may be left out: ';

  /** What LIST -a does, what is asked then, whether hidden names are found, and what is said. */
  it.each<[claim: string, on: Record<string, Action>, asked: string, found: object, said?: string]>(
    [
      ["is enough once it has shown the directory itself", {}, "LIST, LIST -a, LIST -a", all],
      [
        "shows more, but not the directory itself: both are asked for each time",
        { "LIST#2": long(".a", "b", "s/"), "LIST#4": long(".c", "e") },
        bothEachTime,
        all,
      ],
      [
        "doesn't show a later directory itself: it is asked by both",
        { "LIST#3": empty },
        "LIST, LIST -a, LIST -a, LIST, LIST -a",
        all,
      ],
      ["is refused", { "LIST -a": "550 -a: no such directory" }, "LIST, LIST -a, LIST", visible],
      ["is empty, as for an unknown name", { "LIST -a": empty }, "LIST, LIST -a, LIST", visible],
      ["lists another directory", { "LIST -a": long("other") }, bothEachTime, visible, lacking],
      [
        "shows the directory itself alone",
        { "LIST -a": long("./", "../") },
        "LIST, LIST -a, LIST",
        visible,
      ],
      [
        "is a superset without the directory itself",
        { LIST: long("b"), "LIST -a": long("b", ".a") },
        "LIST, LIST -a",
        { "d/b": "2", "d/.a": "1" },
      ],
      [
        "isn't needed where LIST shows the directory itself",
        { LIST: long("./", "b") },
        "LIST",
        { "d/b": "2" },
      ],
      ...[
        "450 -a: No such file or directory",
        "425 Can't open data connection",
        "451 Local error in processing",
        close,
        stall,
        transfer({ first: 10, end: "reset", completion: "426 cut" }),
      ].map((action): [string, Record<string, Action>, string, object, string] => [
        "isn't known where it fails: LIST alone, and no try is spent",
        { "LIST -a": action },
        "LIST, LIST -a, LIST",
        visible,
        failed,
      ]),
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

  it.each(["LIST#2", "LIST#3"])(
    "T4 LIST -a that breaks off after the directory itself is tried again: %s",
    async (command) => {
      const self = transfer({ first: 80, completion: "426 cut" });
      const result = await fetched({ [command]: self }, { tries: 2 });
      expect(result).toMatchObject({ status: 0, found: all });
    },
  );
});

describe("seven directories, of which LIST -a doesn't show themselves", () => {
  const five = Object.fromEntries(["1", "2", "3", "4", "5"].map((name) => [`d/${name}/x`, name]));
  const settings = { files: { ...five, "d/1/.a": "5" }, directories: ["d/0"] };
  const top = { "LIST#2": long("0/", "1/", "2/", "3/", "4/", "5/"), "LIST#4": empty };
  const both = "LIST, LIST -a";

  it("T4 isn't asked again when it has shown nothing more in three with entries", async () => {
    const found = await fetched({ ...top, "LIST#6": long("x"), "LIST#8": long("x") }, settings);
    expect(found).toMatchObject({ status: 0, found: five });
    expect(found.asked).toBe([both, both, both, both, "LIST", "LIST", "LIST"].join(", "));
  });

  it("T4 is asked to the end once it has shown more, also where it showed the directory itself", async () => {
    const hidden = { "d/.h": "h", "d/5/.a": "5" };
    const equal = ["LIST#3", "LIST#5", "LIST#7", "LIST#9", "LIST#11"].map((each) => [
      each,
      long("x"),
    ]);
    const files = { ...five, ...hidden };
    const found = await fetched(Object.fromEntries(equal), { files });
    expect(found).toMatchObject({ status: 0, found: files });
    expect(found.asked).toBe([both, "LIST -a", ...Array<string>(5).fill(both)].join(", "));
  });

  it("T4 is asked each time when it has shown more", async () => {
    const further = ["LIST#8", "LIST#10", "LIST#12", "LIST#14"].map((each) => [each, long("x")]);
    const on = { ...top, "LIST#6": long(".a", "x"), ...Object.fromEntries(further) };
    const found = await fetched(on, settings);
    expect(found).toMatchObject({ status: 0, found: five });
    expect(found.asked).toBe(Array<string>(7).fill(both).join(", "));
  });
});

/** Names with a leading dot, on servers without MLSD. */
import { describe, expect, it } from "vitest";
import { close, stall, transfer } from "../support/actions.ts";
import type { Action } from "../support/script.ts";
import { fetchTree } from "./support/client.ts";

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
  const given = { features, hidesDots: true, files, directories, on };
  const { server, status, stderr, ...found } = await fetchTree(given, ["-T", "5"], { tries });
  return { status, stderr, found: found.files, asked: server.sent("LIST").join(", ") };
}

describe("a server without MLSD", () => {
  const plainOnce = "LIST -a, LIST, LIST";
  const noDirectory = "550 -a: no such directory";
  const refused = (reply: string): string =>
    `"LIST -a" was refused (cannot list the directory: server replied ${reply.replace(" ", ' "')}"): hidden files may be`;

  it.each<[claim: string, on: Record<string, Action>, asked: string, found: object, said?: string]>(
    [
      ["is enough where it shows the directory itself and names", {}, "LIST -a, LIST -a", all],
      [
        "without the directory itself is compared with LIST, which has less",
        { "LIST#1": long(".a", "b", "s/"), "LIST#3": long(".c", "e") },
        "LIST -a, LIST, LIST -a, LIST",
        all,
      ],
      [
        "without the directory itself is enough once it had as many names as LIST",
        { "LIST#1": long("b", "s/"), "LIST#3": long(".c", "e") },
        "LIST -a, LIST, LIST -a",
        { ...visible, "d/s/.c": "3" },
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
        { "LIST#2": noDirectory },
        "LIST -a, LIST -a, LIST",
        { ...visible, "d/.a": "1" },
        refused(noDirectory),
      ],
      ["is empty, as for an unknown name", { "LIST -a": empty }, plainOnce, visible],
      ["shows itself alone", { "LIST -a": long("./", "../") }, plainOnce, visible],
      [
        "comes after MLSD that is refused, where FEAT is, too",
        { FEAT: "502 no", MLSD: "500 no" },
        "LIST, LIST -a, LIST -a",
        all,
      ],
    ],
  )("T4 LIST -a %s", async (_claim, on, asked, found, said = "") => {
    const { stderr, ...result } = await fetched(on);
    expect(result).toEqual({ status: 0, found, asked });
    expect(stderr).toContain(said);
    expect(stderr).not.toContain("trying again");
  });

  const failures: [claim: string, action: Action, status: number][] = [
    ["421", ["421 Too many users", close], 8],
    ["451", "451 Local error in processing", 8],
    ["silence", stall, 4],
    ["a listing that breaks off", transfer({ first: 80, completion: "426 cut" }), 8],
  ];

  it.each(failures)("T4 LIST -a that fails for now is tried again: %s", async (_claim, action) => {
    for (const at of ["LIST#1", "LIST#2"]) {
      const result = await fetched({ [at]: action }, { tries: 2 });
      expect(result, at).toMatchObject({ status: 0, found: all });
    }
  });

  it.each(failures)(
    "T4 LIST -a that goes on failing is a failure; what LIST shows arrives, unless the session is lost: %s",
    async (claim, action, expected) => {
      const { status, stderr, found } = await fetched({ "LIST -a": action }, { tries: 2 });
      expect(stderr).toContain("trying again");
      const isLost = /^(?:421|silence)/.test(claim);
      expect([status, found]).toEqual([expected, isLost ? {} : visible]);
    },
  );
});

it("T4 an empty directory, of which LIST -a doesn't show itself, proves nothing", async () => {
  const files = { "d/1/x": "1" };
  const on = { "LIST#2": empty, "LIST#4": empty };
  const found = await fetched(on, { files, directories: ["d/0"] });
  expect(found).toMatchObject({ status: 0, found: files });
  expect(found.asked).toBe("LIST -a, LIST -a, LIST, LIST -a, LIST");
});

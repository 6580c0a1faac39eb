/** Trees command by command, with and without MLSD. */
import { expect, it } from "vitest";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { fetchFrom } from "./support/client.ts";
import { expectAfterLogin, order, retrieval, type Script } from "./support/dialogue.ts";

const files = { "d/s/b": "2", "d/a": "1" };

const said = (commands: string): Script => commands.split(", ");

// Listings are sent in ASCII; the type is foreseen with the way to the directory.
it.each<[command: string, options: ServerOptions, dialogue: Script]>([
  [
    "MLSD",
    {},
    [
      ...said("PWD, CWD d, PWD, EPSV, MLSD, TYPE I, EPSV, RETR a"),
      ...order,
      ...said("CWD s, TYPE A, EPSV, MLSD, TYPE I, EPSV, RETR b"),
    ],
  ],
  [
    "LIST",
    { features: ["UTF8", "SIZE"], hidesDots: true },
    [
      ...said("PWD, CWD d, PWD, EPSV, LIST, EPSV, LIST -a"),
      ...retrieval("a"),
      ...order,
      ...said("CWD s, TYPE A, EPSV, LIST -a"),
      ...retrieval("b"),
    ],
  ],
])("T4 T5 T6 a tree over %s", async (_command, options, dialogue) => {
  const { server, status, cwd } = await fetchFrom({ files, ...options }, "/d/", ["-r"]);
  expect([status, localFiles(cwd)]).toEqual([0, files]);
  expectAfterLogin(server, ...dialogue);
});

it("T6 directories beside each other cost two CWDs each, by the name that PWD has told", async () => {
  const files = Object.fromEntries(["d1", "d2", "d3"].map((name) => [`a/b/c/${name}/x`, "1"]));
  const { server, status, cwd } = await fetchFrom({ files }, "/a/b/c/", ["-r"]);
  expect([status, Object.keys(localFiles(cwd))]).toEqual([0, ["c/d1/x", "c/d2/x", "c/d3/x"]]);
  const way = "CWD a, CWD b, CWD c, CWD d1, CWD /a/b/c, CWD d2, CWD /a/b/c, CWD d3";
  expect(server.sent("CWD").join(", ")).toBe(way);
});

/** Trees command by command, with and without MLSD. */
import { describe, expect, it } from "vitest";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { startServer } from "../support/start-server.ts";
import { ftpull, isPipelining } from "./support/client.ts";
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
  const server = await startServer({ files, ...options });
  const { status, cwd } = await ftpull(["-r", server.url("/d/")]);
  expect([status, localFiles(cwd)]).toEqual([0, files]);
  expectAfterLogin(server, ...dialogue);
});

describe("T6 directories beside each other, deep in the server's tree", () => {
  const files = Object.fromEntries(["d1", "d2", "d3"].map((name) => [`a/b/c/${name}/x`, "1"]));
  const cwds = async (on: ServerOptions) => {
    const server = await startServer({ files, ...on });
    const { status, cwd } = await ftpull(["-r", server.url("/a/b/c/")]);
    expect([status, Object.keys(localFiles(cwd))]).toEqual([0, ["c/d1/x", "c/d2/x", "c/d3/x"]]);
    return server.sent("CWD");
  };

  const top = ["CWD a", "CWD b", "CWD c"];
  const long = [...top, "CWD d1", "CWD /", ...top, "CWD d2", "CWD /", ...top, "CWD d3"];

  it("cost two CWDs each, by the name that PWD has told", async () => {
    const way = ["CWD d1", "CWD /a/b/c", "CWD d2", "CWD /a/b/c", "CWD d3"];
    expect(await cwds({})).toEqual([...top, ...way]);
  });

  it("are entered from the login directory where that name is refused", async () => {
    const found = await cwds({ on: { "CWD /a/b/c": "550 no such directory" } });
    // What was pipelined behind the refused name is refused as well.
    const [first, ...rest] = long.slice(4);
    const behind = isPipelining ? ["CWD d2"] : [];
    expect(found).toEqual([...long.slice(0, 4), "CWD /a/b/c", ...behind, first, ...rest]);
  });

  it("are entered from the login directory where PWD always says the same", async () => {
    expect(await cwds({ on: { PWD: '257 "/" is the current directory' } })).toEqual(long);
  });
});

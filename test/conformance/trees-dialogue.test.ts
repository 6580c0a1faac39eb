/** Trees command by command, with and without MLSD. */
import { expect, it } from "vitest";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { fetchFrom } from "./support/client.ts";
import { expectAfterLogin, retrieval, type Script } from "./support/dialogue.ts";

const files = { "d/s/b": "2", "d/a": "1" };

const said = (commands: string): Script => commands.split(", ");

// Listings are sent in ASCII; the type is foreseen with the way to the directory.
it.each<[command: string, options: ServerOptions, dialogue: Script]>([
  [
    "MLSD",
    {},
    [
      ...said("PWD, CWD d, EPSV, MLSD, TYPE I, EPSV, RETR a"),
      ...said("CWD s, TYPE A, EPSV, MLSD, TYPE I, EPSV, RETR b"),
    ],
  ],
  [
    "LIST",
    { features: ["UTF8", "SIZE"], hidesDots: true },
    [
      ...said("PWD, CWD d, EPSV, LIST -a"),
      ...retrieval("a"),
      ...said("CWD s, TYPE A, EPSV, LIST -a"),
      ...retrieval("b"),
    ],
  ],
])("T4 T5 T6 a tree over %s", async (_command, options, dialogue) => {
  const { server, status, cwd } = await fetchFrom({ files, ...options }, "/d/", ["-r"]);
  expect([status, localFiles(cwd)]).toEqual([0, files]);
  expectAfterLogin(server, ...dialogue);
});

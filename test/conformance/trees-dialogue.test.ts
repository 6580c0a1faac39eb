/** Trees command by command, with and without MLSD. */
import { expect, it } from "vitest";
import { localFiles } from "../support/local-tree.ts";
import { startServer } from "../support/start-server.ts";
import { ftpull } from "./support/client.ts";
import { expectAfterLogin, order, retrieval } from "./support/dialogue.ts";

const files = { "d/s/b": "2", "d/a": "1" };

/** Listings are sent in ASCII; the type is foreseen with the way to the directory. */
const listingType = ["TYPE A", "EPSV"];

it("T4 T5 T6 a tree over MLSD", async () => {
  const server = await startServer({ files });
  const { status, cwd } = await ftpull(["-r", server.url("/d/")]);
  expect([status, localFiles(cwd)]).toEqual([0, files]);
  expectAfterLogin(
    server,
    "PWD",
    "CWD d",
    "PWD",
    "EPSV",
    "MLSD",
    "TYPE I",
    "EPSV",
    "RETR a",
    ...order,
    "CWD s",
    ...listingType,
    "MLSD",
    "TYPE I",
    "EPSV",
    "RETR b",
  );
});

it("T4 T5 T6 a tree over LIST", async () => {
  const server = await startServer({ files, features: ["UTF8", "SIZE"], hidesDots: true });
  const { status, cwd } = await ftpull(["-r", server.url("/d/")]);
  expect([status, localFiles(cwd)]).toEqual([0, files]);
  expectAfterLogin(
    server,
    "PWD",
    "CWD d",
    "PWD",
    "EPSV",
    "LIST",
    "EPSV",
    "LIST -a",
    ...retrieval("a"),
    ...order,
    "CWD s",
    ...listingType,
    "LIST -a",
    ...retrieval("b"),
  );
});

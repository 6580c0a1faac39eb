/** --format urls: the URLs of a listing, read again by --input-file. */
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const names = [
  "plain",
  "a#b",
  "#first",
  "%",
  "%41",
  "x;type=a",
  "x;type=d",
  "why?",
  "c:d",
  "s:u:p@h",
  "*",
  "[ab]",
  " both ",
  "\t",
  "-d",
  "~",
  "<URL:x>",
  "quo\"te's",
  "back\\slash",
  "caf\xc3\xa9",
  "\xe7\xff",
  "\xc2\x85\xe2\x80\xae\xef\xbb\xbf",
];

/** The URLs that a listing has; it is read to its end without a message. */
async function urlsOf(words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(["--format", "urls", ...words]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

/** The arguments of a command, in the order of their arrival. */
function argumentsOf(verb: string, server: ScriptedServer): string[] {
  return server.sent(verb).map((line) => line.slice(verb.length + 1));
}

describe("the octets of a listing's names are those of RETR, and no others", () => {
  const files = Object.fromEntries(names.map((name) => [`pub/${name}`, name]));

  test.each([
    ["MLSD", ["MLST", "UTF8"], []],
    ["MLSD on a server without UTF-8", ["MLST"], ["--remote-encoding", "iso-8859-1"]],
    ["LIST", ["UTF8"], []],
    ["NLST", ["UTF8"], []],
  ])("%s", async (command, features, options) => {
    const on: Record<string, string> = command === "NLST" ? { LIST: "502 no LIST" } : {};
    const server = await startServer({ files, nameEncoding: "latin1", features, on });
    const stdin = await urlsOf([...options, server.url("/pub/")]);
    expect(stdin).toMatch(/^[!-~\n]+$/);
    const { status, stdout } = await run(["-q", "-O", "-", "-i", "-"], { stdin });
    expect(argumentsOf("RETR", server)).toEqual(names);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: Buffer.from(names.join("")).toString(),
    });
  });
});

test("a directory's URL lists it in its turn, a link's is fetched", async () => {
  const lines = ["type=dir; d;type=a", "type=OS.unix=symlink; link"];
  const server = await startServer({
    files: { "d;type=a/inner": "1", link: "2" },
    on: { "MLSD#1": transfer({ content: [`${lines.join("\r\n")}\r\n`] }) },
  });
  const stdin = await urlsOf([server.url("/")]);
  expect(stdin).toBe(`${server.url("/d%3Btype=a/")}\n${server.url("/link")}\n`);
  expect(await run(["-q", "-O", "-", "-i", "-"], { stdin })).toMatchObject({
    status: 0,
    stdout: "inner\n2",
  });
});

describe("the URL of a listing's directory is read as the same directory", () => {
  const octets = "caf\xe9";
  const served = {
    files: { "home/pub/x": "home", "pub/x": "root", [`home/${octets}/x`]: "latin1" },
    nameEncoding: "latin1",
    loginDirectory: "/home",
    users: { "ann@h": { password: "secret" } },
  } as const;

  test.each([
    ["/pub/", [], "/pub/x", "home"],
    ["/%2Fpub/", [], "/%2Fpub/x", "root"],
    ["/pub/", ["--root"], "/%2F/pub/x", "root"],
    ["/~/pub/", ["--root"], "/./pub/x", "home"],
    ["/caf\xe9/", ["--remote-encoding", "latin1"], "/caf%E9/x", "latin1"],
  ])("%s %s", async (path, options, expected, content) => {
    const server = await startServer({ ...served, features: ["MLST"] });
    const stdin = await urlsOf([...options, server.url(path)]);
    expect(stdin).toBe(`${server.url(expected)}\n`);
    for (const words of [
      ["-i", "-"],
      [...options, "-i", "-"],
    ])
      expect(await run(["-q", "-O", "-", ...words], { stdin })).toMatchObject({
        status: 0,
        stdout: content,
      });
  });

  test("P6 it couldn't be entered, and was listed by its name", async () => {
    const server = await startServer({ ...served, on: { "CWD pub": "550 execute only" } });
    const stdin = await urlsOf([server.url("/pub;type=d")]);
    expect(await run(["-q", "-O", "-", "-i", "-"], { stdin })).toMatchObject({
      status: 0,
      stdout: "home",
    });
    expect(argumentsOf("RETR", server)).toEqual(["pub/x"]);
  });
});

/** --verify: the checksums of one document, found beside it, and what is decided by them. */
import { createHash } from "node:crypto";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { proceed, transfer } from "../support/actions.ts";
import { folderWith } from "../support/folder-with.ts";
import { type Action, perform } from "../support/script.ts";
import type { FileSource, ServerOptions } from "../support/options.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { filesIn, ftpull } from "./support/client.ts";
import { expectAfterLogin, type Script } from "./support/dialogue.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

const content = "the document\n";
const weakSum = "41977 1"; // BSD's sum of it
const wrong = sha256("another");
const modified = new Date("2024-01-02T03:04:05Z");
const located: Script = ["PWD", "CWD d", "TYPE I", "SIZE x", "MDTM x"];
const retrieved = (name: string): Script => ["EPSV", `RETR ${name}`];
const listed: Script = ["TYPE A", "EPSV", "MLSD"];

interface Wanted extends ServerOptions {
  readonly beside?: Record<string, FileSource>;
  readonly words?: readonly string[];
  readonly url?: string;
  /** The path of a further document. */
  readonly also?: string;
  readonly tries?: number;
}

/** Fetches /d/x with --verify; URLs in messages begin with "/". */
async function verify(wanted: Wanted) {
  const { beside = {}, words = [], url = "/d/x", also, tries = 1, ...options } = wanted;
  const inside = Object.entries(beside).map(([name, text]) => [`d/${name}`, text]);
  const files = { "d/x": content, ...(Object.fromEntries(inside) as typeof beside) };
  const server = await startServer({ ...options, files: { ...files, ...options.files } });
  const again = async (cwd: string, ...more: string[]) => {
    const urls = [url, ...(also === undefined ? [] : [also])].map((path) => server.url(path));
    const given = ["--verify", "--progress=plain", ...words, ...more, ...urls];
    const { status, stderr, stdout } = await ftpull(given, { cwd, tries });
    const shown = stderr
      .replaceAll(server.url("/"), "/")
      .replaceAll(/ in [\d.]+s(?: \(.*?\))?/g, "");
    return { status, stderr: shown, stdout, files: filesIn(cwd) };
  };
  return { server, again, ...(await again(await temporaryDirectory())) };
}

describe("a checksum beside the document", () => {
  it("is found in a listing of its directory, and its list is fetched before the file", async () => {
    const beside = { SHA256SUMS: `${sha256(content)}  x\n` };
    const { server, status, stderr, files } = await verify({ beside });
    expect({ status, files }).toEqual({ status: 0, files: { x: content } });
    expect(stderr).toContain("x: 13 B, verified by sha256 of SHA256SUMS\n");
    const list = ["TYPE I", "SIZE SHA256SUMS", ...retrieved("SHA256SUMS"), ...retrieved("x")];
    expectAfterLogin(server, ...located, ...listed, ...list);
  });

  it.each<[claim: string, beside: Record<string, string>, proof: string]>([
    ["its own first", { "x.md5": md5(content), MD5SUMS: `${md5("y")}  x\n` }, "md5 of x.md5"],
    [
      "the strongest one",
      { "x.md5": md5("other"), SHA256SUMS: `${sha256(content)} *./x\n` },
      "sha256 of SHA256SUMS",
    ],
    ["a weak one", { CHECKSUMS: `${weakSum} x\n` }, "sum of CHECKSUMS (weaker than md5)"],
    [
      "a weaker list, where the stronger has it not",
      { SHA256SUMS: `${sha256("y")}  y\n`, MD5SUMS: `${md5(content)}  x\n` },
      "md5 of MD5SUMS",
    ],
  ])("may be %s", async (_claim, beside, proof) => {
    const { status, stderr, files } = await verify({ beside });
    expect({ status, files }).toEqual({ status: 0, files: { x: content } });
    expect(stderr).toContain(`x: 13 B, verified by ${proof}\n`);
  });

  it("is listed by the octets of its name", async () => {
    const SHA256SUMS = Buffer.from(`${sha256(content)}  \xfc\n`, "latin1");
    const beside = { ü: content, SHA256SUMS };
    const { status, stderr } = await verify({ beside, nameEncoding: "latin1", url: "/d/%FC" });
    expect(stderr).toContain("verified by sha256 of SHA256SUMS\n");
    expect(status).toBe(0);
  });

  it("is looked for, and its list is fetched, once for files of one directory", async () => {
    const beside = { MD5SUMS: `${md5(content)}  x\n${md5("y")}  y\n`, y: "y" };
    const { server, status } = await verify({ beside, also: "/d/y" });
    expect(status).toBe(0);
    expect(asked(server, "RETR")).toEqual(["RETR MD5SUMS", "RETR x", "RETR y"]);
    expect(asked(server, "MLSD")).toEqual(["MLSD"]);
  });

  it.each<[claim: string, on: Record<string, Action>]>([
    ["had another size before it was replaced", { "SIZE SHA256SUMS": inOrder("213 20", proceed) }],
    ["has no size for now", { "SIZE SHA256SUMS": inOrder("450 busy", proceed) }],
    ["breaks off", { "RETR#1 SHA256SUMS": transfer({ first: 9, completion: "426 cut" }) }],
  ])("is had in the next try, if its list %s", async (_claim, on) => {
    const beside = { SHA256SUMS: `${sha256(content)}  x\n` };
    const { status, files } = await verify({ beside, on, tries: 2 });
    expect({ status, files }).toEqual({ status: 0, files: { x: content } });
  });

  it("is of what is stored, where a text is converted", async () => {
    const beside = { MD5SUMS: `${md5(content)}  x\n` };
    const { server, status } = await verify({ beside, url: "/d/x;type=a" });
    expect([status, asked(server, "TYPE").at(-1)]).toEqual([0, "TYPE A"]);
  });
});

/** The commands that begin with these words. */
function asked({ commands }: { commands: readonly string[] }, words: string): string[] {
  return commands.filter((line) => line.startsWith(words));
}

/** Sends one text after another. */
function inTurn(...texts: string[]): Action {
  let next = 0;
  return (exchange) => {
    const content = texts[Math.min(next++, texts.length - 1)]!;
    return transfer({ content })(exchange);
  };
}

/** Takes one action after another, on whatever connections. */
function inOrder(...actions: Action[]): Action {
  let next = 0;
  return (exchange) => perform(actions[Math.min(next++, actions.length - 1)]!, exchange);
}

describe("a mismatch", () => {
  const differs = `expected sha256 ${wrong}, found ${sha256(content)}`;
  const beside = { SHA256SUMS: `${wrong}  x\n` };

  it("fetches list and document once more, and is exit 9: nothing gets the name", async () => {
    const { server, status, stderr, files } = await verify({ beside, tries: 5 });
    expect({ status, files }).toEqual({ status: 9, files: {} });
    const both = ["RETR SHA256SUMS", "RETR x"];
    expect(asked(server, "RETR")).toEqual([...both, ...both]);
    expect(stderr).toContain(`ftpull: /d/x: ${differs}; beginning again\n`);
    expect(stderr).toContain(`ftpull: /d/x: ${differs}; nothing was kept\n`);
  });

  const right = `${sha256(content)}  x\n`;

  it.each<[claim: string, SHA256SUMS: string, on: Record<string, Action>]>([
    ["list", `${wrong}  x\n`, { "RETR SHA256SUMS": inTurn(`${wrong}  x\n`, right) }],
    ["document", right, { "RETR x": inTurn("another doc.\n", content) }],
  ])("of a %s that is replaced meanwhile is none", async (_claim, SHA256SUMS, on) => {
    const { status, stderr, files } = await verify({ beside: { SHA256SUMS }, on });
    expect({ status, files }).toEqual({ status: 0, files: { x: content } });
    expect(stderr).toContain("x: 13 B, verified by sha256 of SHA256SUMS\n");
  });

  it("of a list that was replaced after an earlier document is none", async () => {
    const text = (x: string, y: string): string => `${md5(x)}  x\n${md5(y)}  y\n`;
    const on = { "RETR MD5SUMS": inTurn(text(content, "Y"), text("X", "y")) };
    const beside = { MD5SUMS: text("", ""), y: "y" };
    const { server, status, stderr } = await verify({ beside, on, also: "/d/y" });
    expect(stderr).toContain("2 verified by md5");
    const first = ["RETR MD5SUMS", "RETR x", "RETR y"];
    expect(asked(server, "RETR")).toEqual([...first, "RETR MD5SUMS", "RETR y"]);
    expect(status).toBe(0);
  });

  it("isn't undone by a weaker one, when the list is gone", async () => {
    const gone = { "RETR SHA256SUMS": inOrder(proceed, "550 gone") };
    const both = { ...beside, MD5SUMS: `${md5(content)}  x\n` };
    const { server, status, stderr, files } = await verify({ beside: both, on: gone });
    expect({ status, files }).toEqual({ status: 9, files: {} });
    expect(asked(server, "RETR")).not.toContain("RETR MD5SUMS");
    expect(stderr).toContain(`ftpull: /d/x: ${differs}; nothing was kept\n`);
  });

  it("is exit 9 on standard output, which can't take it back", async () => {
    const { status, stdout, stderr } = await verify({ beside, words: ["-O", "-"] });
    expect({ status, stdout }).toEqual({ status: 9, stdout: content });
    expect(stderr).toContain(`ftpull: /d/x: ${differs}; it is on standard output already`);
  });
});

describe("a file that is here", () => {
  const beside = { SHA256SUMS: `${sha256(content)}  x\n` };
  const damaged = content.toUpperCase();

  it("is fetched again by -N if it is damaged, and else skipped", async () => {
    const { server, again } = await verify({ beside });
    const cwd = await folderWith({ x: damaged });
    const first = await again(cwd, "-N");
    expect(first).toMatchObject({ status: 0, files: { x: content } });
    expect(first.stderr).toContain('"x" is fetched again: expected sha256');
    const second = await again(cwd, "-N", "--json");
    const verified = { algorithm: "sha256", source: server.url("/d/SHA256SUMS") };
    expect(JSON.parse(second.stdout)).toMatchObject({ status: "skipped", verified });
    expect(asked(server, "RETR x")).toHaveLength(2);
  });

  it("is a failure of --no-clobber if it is damaged, and stays", async () => {
    const { again } = await verify({ beside });
    const { status, stderr, files } = await again(await folderWith({ x: damaged }), "-nc");
    expect({ status, files }).toEqual({ status: 9, files: { x: damaged } });
    expect(stderr).toContain('ftpull: /d/x: "x" is left as it is: expected sha256');
    const whole = await again(await folderWith({ x: content }), "-nc");
    const words = '"x" is there already, verified by sha256 of SHA256SUMS: skipped';
    expect(whole).toMatchObject({ status: 0, stderr: `ftpull: ${words}\n` });
  });
});

describe("without a checksum", () => {
  it.each([{ on: {} }, { on: { SIZE: "502 unknown" } }])(
    "a file that a URL names is exit 9, and isn't saved (%j)",
    async ({ on }) => {
      const { status, stderr, files } = await verify({ on });
      expect({ status, files }).toEqual({ status: 9, files: {} });
      expect(stderr).toContain("ftpull: /d/x: no checksum was found: the file is not verified");
    },
  );

  it.each(["-nc", "-N"])("a file that %s would keep is exit 9, and stays", async (option) => {
    const beside = { x: { content, modified } };
    const { again } = await verify({ beside, on: { SIZE: "502 unknown" } });
    const cwd = await folderWith({ x: content });
    utimesSync(join(cwd, "x"), modified, modified);
    const { status, stderr, files } = await again(cwd, option);
    expect({ status, files }).toEqual({ status: 9, files: { x: content } });
    expect(stderr).toContain("ftpull: /d/x: no checksum was found");
  });

  it.each([{ url: "/d/*" }, { url: "/d/", words: ["-r"] }])(
    "files of trees and patterns are saved, with a note for their directory (%j)",
    async (given) => {
      const { status, stderr } = await verify({ beside: { y: "y" }, ...given });
      expect(stderr.match(/.*no checksum.*/g)).toHaveLength(1);
      expect(status).toBe(0);
    },
  );

  it.each(["SHA256SUMS", "x.sig"])("%s isn't looked up, nor has to have one", async (name) => {
    const beside = { SHA256SUMS: `${wrong}  SHA256SUMS\n`, "x.sig": "signed" };
    const { server, status } = await verify({ beside, url: `/d/${name}` });
    expect(asked(server, "RETR")).toEqual([`RETR ${name}`]);
    expect(status).toBe(0);
  });
});

describe("a list that can't be used is named, and the next one counts", () => {
  const MD5SUMS = `${md5(content)}  x\n`;
  const text = `${sha256(content)}  x\n`;

  it.each<[words: string, name: string, text: string, on?: Record<string, Action>]>([
    ["cannot retrieve", "SHA256SUMS", text, { "RETR SHA256SUMS": "550 denied" }],
    [
      "cannot read the checksums in .*: expected 5 b",
      "SHA256SUMS",
      text,
      { "SIZE SHA256SUMS": "213 5" },
    ],
    ["there is no checksum in the list", "x.sha256", "<html>\x1b[31m"],
    ["it has no checksum of its file", "x.sha256", `${sha256(content)}  y\n`],
  ])("%s", async (words, name, listed, on = {}) => {
    const beside = { [name]: listed, MD5SUMS };
    const { status, stderr, files } = await verify({ beside, on, tries: 2 });
    expect({ status, files }).toEqual({ status: 0, files: { x: content } });
    expect(stderr).toMatch(
      new RegExp(`ftpull: warning: /d/${name}: (?:not used to verify: )?${words}`),
    );
    expect(stderr).toContain("x: 13 B, verified by md5 of MD5SUMS\n");
    expect(stderr).not.toContain("\x1b");
  });
});

it("--checksums wins for what it has", async () => {
  const beside = { MD5SUMS: `${md5("wrong")}  x\n${md5("y")}  y\n`, y: "y" };
  const list = await folderWith({ SUMS: `${sha256(content)}  x\n` });
  const words = ["--checksums", join(list, "SUMS")];
  const { status, stderr } = await verify({ beside, words, also: "/d/y" });
  expect(stderr).toContain("x: 13 B, verified by sha256 of SUMS\n");
  expect(stderr).toContain("y: 1 B, verified by md5 of MD5SUMS\n");
  expect(stderr).toContain("1 verified by sha256, 1 by md5\n");
  expect(stderr).not.toContain("warning");
  expect(status).toBe(0);
});

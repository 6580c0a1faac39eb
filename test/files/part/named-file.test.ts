import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import type { Version } from "../../../src/files/destination.ts";
import { NamedFile } from "../../../src/files/part/named-file.ts";
import { beforeCall } from "../../support/before-call.ts";
import { existing } from "../../support/existing.ts";
import { at, names, ownDirectory, put, text } from "../../support/own-directory.ts";
import { leavePart } from "../../support/part.ts";

const modified = new Date("2001-02-03T04:05:06Z");
const small: Version = { url: "ftp://h/x", size: 6, modified };
const large: Version = { ...small, size: 100_000 };
const sizes: [claim: string, Version][] = [
  ["small", small],
  ["large", large],
];

type Case = keyof typeof existing;

const byExisting = (...existings: Case[]) =>
  sizes.flatMap(([claim, version]) =>
    existings.map((each) => [claim, each, version] as [string, Case, Version]),
  );

ownDirectory();

const state = (name: string): unknown => JSON.parse(text(`${name}.ftpull.json`));
const file = (by: Case, name = "x") => new NamedFile(at(name), existing[by]);

/** A file after its first bytes, from the look for a partial one on, as a transfer makes it. */
function begun(to: NamedFile, version = small, octets = "abc"): NamedFile {
  to.choose(version);
  void to.open(version, 0);
  const chunk = Buffer.from(octets);
  to.writeAt(0, chunk);
  chunk.fill("-"); // as the next read does
  return to;
}

async function fetched(to: NamedFile, version = small, octets = "new"): Promise<string> {
  begun(to, version, octets).publish(undefined);
  return to.label;
}

describe("a file that arrives", () => {
  test("is nowhere until it is whole if it is small", async () => {
    const to = begun(file("number"));
    expect(names()).toEqual([]);
    to.writeAt(3, Buffer.from("def"));
    to.publish(modified);
    expect([names(), text("x")]).toEqual([["x"], "abcdef"]);
    expect(fs.statSync(at("x")).mtime).toEqual(modified);
  });

  test("is partial, with its state beside it, if it is large", async () => {
    const to = begun(file("number"), large);
    expect([names(), text("x.ftpull")]).toEqual([["x.ftpull", "x.ftpull.json"], "abc"]);
    expect(state("x")).toEqual({
      url: "ftp://h/x",
      size: 100_000,
      modified: "2001-02-03T04:05:06.000Z",
      host: hostname(),
      pid: process.pid,
      run: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    });
    to.writeAt(3, Buffer.from("def"));
    to.publish(modified);
    expect([names(), text("x")]).toEqual([["x"], "abcdef"]);
    expect(fs.statSync(at("x")).mtime).toEqual(modified);
  });

  test("leaves memory with its 65,537th byte if its size isn't known", async () => {
    const to = begun(file("number"), { url: "ftp://h/x" }, "a".repeat(65_536));
    expect(names()).toEqual([]);
    to.writeAt(65_536, Buffer.from("b"));
    expect(names()).toEqual(["x.ftpull", "x.ftpull.json"]);
    to.publish(undefined);
    expect([names(), text("x").slice(-2), text("x").length]).toEqual([["x"], "ab", 65_537]);
  });

  test.each([new Date(Number.NaN), new Date("+099999-01-01T00:00:00Z")])(
    "is whole when its time is %s",
    async (time) => {
      for (const version of [small, large]) begun(file("newer"), version).publish(time);
      expect(text("x")).toBe("abc");
    },
  );

  test.each(sizes)("gets directories that are missing: %s", async (_claim, version) => {
    expect(await fetched(file("number", "a/b/x"), version)).toBe(at("a/b/x"));
    expect(text("a/b/x")).toBe("new");
  });
});

describe("a file that doesn't arrive", () => {
  test.each(sizes)("leaves nothing when it is discarded: %s", async (_claim, version) => {
    put("x", "old");
    begun(file("newer"), version).discard();
    expect([names(), text("x")]).toEqual([["x"], "old"]);
  });
});

describe("a name that is taken", () => {
  test.each(sizes)("stays, and the next free number is used: %s", async (_claim, version) => {
    put("x", "old");
    put("x.1", "old");
    fs.symlinkSync("nowhere", at("x.2"));
    expect(await fetched(file("number"), version)).toBe(at("x.3"));
    expect([text("x"), text("x.1"), text("x.3")]).toEqual(["old", "old", "new"]);
  });

  test.each(byExisting("newer", "force"))(
    "is replaced, with the permissions of any new file: %s, %s",
    async (_claim, by, version) => {
      put("x", "old");
      fs.chmodSync(at("x"), 0o640);
      await fetched(file(by), version);
      expect([text("x"), names()]).toEqual(["new", ["x"]]);
      expect(fs.statSync(at("x")).mode & 0o777).toBe(0o666 & ~process.umask());
    },
  );

  test("is kept by -nc, whatever came", () => {
    put("x", "old");
    expect(() => begun(file("keep"))).toThrow(`cannot write "${at("x")}": it is there already`);
    expect([names(), text("x")]).toEqual([["x"], "old"]);
  });

  test.each<[claim: string, make: () => void, words: string]>([
    ["a directory", () => fs.mkdirSync(at("x")), "it is a directory"],
    ["a FIFO", () => execFileSync("mkfifo", [at("x")]), "it is not a regular file"],
    ["a link to itself", () => fs.symlinkSync("x", at("x")), "too many symbolic links"],
    ["a link to a device", () => fs.symlinkSync("/dev/null", at("x")), "not a regular file"],
  ])("by %s is refused, also when it comes to be meanwhile", async (_claim, make, words) => {
    for (const [, version] of sizes) {
      const to = begun(file("force"), version);
      make();
      expect(() => to.publish(undefined)).toThrow(/is a directory|not a regular file/);
      to.keep();
      expect(names()).toEqual(["x"]);
      expect(() => begun(file("newer"), version)).toThrow(words);
      fs.rmSync(at("x"), { recursive: true });
    }
  });

  test("by a symbolic link is written through, and in a tree the link replaced", async () => {
    fs.mkdirSync(at("there"));
    put("there/y", "old");
    fs.symlinkSync("there/y", at("x"));
    for (const [, version] of sizes) await fetched(file("newer"), version, version.url);
    expect(fs.readlinkSync(at("x"))).toBe("there/y");
    expect(text("there/y")).toBe("ftp://h/x");
    for (const [, version] of sizes) {
      fs.rmSync(at("x"));
      fs.symlinkSync("there/y", at("x"));
      await fetched(new NamedFile(at("x"), { ...existing.newer, replacesLinks: true }), version);
      expect([fs.lstatSync(at("x")).isFile(), text("there/y")]).toEqual([true, "ftp://h/x"]);
    }
  });
});

describe("a file that another program makes meanwhile", () => {
  test("keeps its name, though another number is free, where the partial file has the first one", async () => {
    const to = begun(file("number"), large);
    put("x", "theirs");
    expect(() => to.publish(undefined)).toThrow("made it meanwhile");
    to.keep();
    expect(names()).toEqual(["x", "x.ftpull", "x.ftpull.json"]);
  });

  test("stays where there are no hard links, too", async () => {
    const { linkSync } = fs;
    const { syncBuiltinESMExports } = await import("node:module");
    fs.linkSync = () => {
      throw Object.assign(new Error("EPERM"), { code: "EPERM" });
    };
    syncBuiltinESMExports();
    try {
      for (const [, version] of sizes) {
        const to = begun(file("newer"), version);
        put("x", "theirs");
        expect(() => to.publish(undefined)).toThrow("made it meanwhile");
        to.discard();
        fs.rmSync(at("x"));
        await fetched(file("newer"), version);
        expect([names(), text("x")]).toEqual([["x"], "new"]);
        fs.rmSync(at("x"));
      }
    } finally {
      fs.linkSync = linkSync;
      syncBuiltinESMExports();
    }
  });
});

describe("another file of this run with the same name", () => {
  test("gets the next number where another run takes the free one in the middle of the choice", async () => {
    const take = () => leavePart(at("x"), "abc", large, { pid: process.ppid });
    beforeCall("openSync", "x.ftpull.json", () => beforeCall("openSync", "x.ftpull.json", take));
    expect(await fetched(file("number"), large)).toBe(at("x.1"));
  });

  test("gets the next number, whichever ends first", async () => {
    for (const [, first] of sizes)
      for (const [, second] of sizes) {
        const [one, other] = [begun(file("number"), first), begun(file("number"), second, "def")];
        other.publish(undefined);
        one.publish(undefined);
        expect(new Set([one.label, other.label])).toEqual(new Set([at("x"), at("x.1")]));
        expect([text("x"), text("x.1")].toSorted()).toEqual(["abc", "def"]);
        for (const name of names()) fs.rmSync(at(name));
      }
  });
});

describe("a partial file", () => {
  const left = (octets = "abcd", version: Version = large) => leavePart(at("x"), octets, version);

  test("of another URL stays, and the next number is used; a fixed name is told of it", async () => {
    left();
    const other = { ...large, url: "ftp://h/other" };
    expect(file("newer").choose(other)).toMatchObject({ version: { url: "ftp://h/x" } });
    for (const size of [6, 100_000])
      expect(file("number").choose({ ...other, size })).toBeUndefined();
    expect(await fetched(file("number"), other)).toBe(at("x.1"));
    expect(text("x.ftpull")).toBe("abcd");
    await fetched(file("newer"), other);
    expect([text("x"), names()]).toEqual(["new", ["x", "x.1"]]);
  });

  test("is told within the run that writes it, cut, and begun again as a new file", async () => {
    const to = begun(file("number"), large, "abcd");
    expect(to.choose(large)?.octets).toBe(4);
    void to.open(large, 2);
    to.writeAt(2, Buffer.from("C"));
    expect(text("x.ftpull")).toBe("abC");
    const { ino } = fs.statSync(at("x.ftpull"));
    fs.linkSync(at("x.ftpull"), at("before"));
    void to.open(large, 0);
    to.writeAt(0, Buffer.from("z"));
    expect(fs.statSync(at("x.ftpull")).ino).not.toBe(ino);
    expect([text("x.ftpull"), text("before")]).toEqual(["z", "abC"]);
    to.keep();
  });

  test.each<[claim: string, plant: () => void]>([
    ["no state", () => fs.rmSync(at("x.ftpull.json"))],
    [
      "a FIFO as its state",
      () => (fs.rmSync(at("x.ftpull.json")), execFileSync("mkfifo", [at("x.ftpull.json")])),
    ],
    ...["", "{", "null", '{"url":7}', '{"url":"ftp://h/x","size":"4"}'].map(
      (edited) =>
        [`the state ${edited}`, () => put("x.ftpull.json", edited)] as [string, () => void],
    ),
    ["a second name", () => fs.linkSync(at("x.ftpull"), at("victim"))],
    [
      "a link in its place",
      () => (fs.renameSync(at("x.ftpull"), at("victim")), fs.symlinkSync("victim", at("x.ftpull"))),
    ],
  ])("with %s is begun again, and nothing else written", async (_claim, plant) => {
    left();
    plant();
    expect(file("newer").choose(large)).toBeUndefined();
    await fetched(file("newer"), large);
    expect(text("x")).toBe("new");
    expect(names().includes("victim") ? text("victim") : "abcd").toBe("abcd");
    expect(names().filter((name) => name !== "victim")).toEqual(["x"]);
  });
});

describe("a file that another program left", () => {
  test("counts before a partial file that isn't longer, or doesn't go on behind it", () => {
    put("x", "abcd");
    const told = () => file("continue").choose(large)?.other !== undefined;
    leavePart(at("x"), "abc", large);
    expect(told()).toBe(true);
    leavePart(at("x"), "abcX...", large);
    expect(told()).toBe(true);
    leavePart(at("x"), "abcdef", large);
    expect(told()).toBe(false);
  });

  test("is copied while other work goes on, and can be gone on with only then", async () => {
    const size = 3 * 2 ** 20;
    const version = { ...large, size: size + 1 };
    put("x", Buffer.alloc(size, "a"));
    const to = file("continue");
    to.choose(version);
    let isCopied = false;
    const copied = Promise.resolve(to.open(version, size)).then(() => (isCopied = true));
    await new Promise(setImmediate);
    expect([isCopied, state("x")]).toEqual([
      false,
      expect.not.objectContaining({ size: size + 1 }),
    ]);
    await copied;
    expect(state("x")).toMatchObject({ size: size + 1 });
    to.writeAt(size, Buffer.from("b"));
    to.publish(undefined);
    expect([names(), text("x").slice(-2), text("x").length]).toEqual([["x"], "ab", size + 1]);
  });

  test("loses nothing where the run ends while it is copied", async () => {
    put("x", Buffer.alloc(3 * 2 ** 20, "a"));
    const to = file("continue");
    const version = { ...large, size: 4 * 2 ** 20 };
    to.choose(version);
    const copied = to.open(version, 3 * 2 ** 20);
    to.keep();
    await expect(copied).rejects.toThrow();
    expect([names(), fs.statSync(at("x")).size]).toEqual([["x"], 3 * 2 ** 20]);
  });

  test("is refused if it is cut, or gone, before it is copied", async () => {
    put("x", "abcd");
    const to = file("continue");
    to.choose(large);
    fs.truncateSync(at("x"), 3);
    await expect(to.open(large, 4)).rejects.toThrow("another program has changed it");
    to.keep();
    to.choose(large);
    fs.rmSync(at("x"));
    await expect(to.open(large, 3)).rejects.toMatchObject({ kind: "file" });
    to.keep();
    expect(names()).toEqual([]);
  });
});

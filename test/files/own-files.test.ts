import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { linkTarget } from "../../src/files/links.ts";
import { OwnFiles } from "../../src/files/own-files.ts";
import { makeLink, removeTreeLink } from "../../src/files/tree-link.ts";
import { at, ownDirectory, put } from "../support/own-directory.ts";

ownDirectory();

const claim = (own: OwnFiles, name: string, url: string) => () =>
  own.claim(at(name), url, fs.statSync(at(name)));
const same = (name: string, first: string, url: string) =>
  `cannot write "${at(name)}": here it is the same as "${at(first)}", and this run has it for ${url}`;

/** Where case makes no difference, two names lead to one file, as through a link to its directory. */
function twoNames(): void {
  fs.mkdirSync(at("d"));
  put("d/a", "1");
  fs.symlinkSync("d", at("l"));
}

describe("a file of this run", () => {
  test("has one URL, by whatever name, until its directory is forgotten", () => {
    twoNames();
    const own = new OwnFiles();
    claim(own, "d/a", "ftp://h/a")();
    expect(claim(own, "d/a", "ftp://h/a")).not.toThrow();
    expect(claim(own, "l/a", "ftp://h/A")).toThrow(same("l/a", "d/a", "ftp://h/a"));
    expect(claim(own, "d/a", "ftp://h/A")).toThrow("this run has it for ftp://h/a");
    own.forget(at("l"));
    expect(claim(own, "l/a", "ftp://h/A")).toThrow(same("l/a", "d/a", "ftp://h/a"));
    own.forget(at("d"));
    expect(claim(own, "l/a", "ftp://h/A")).not.toThrow();
  });

  test("isn't one that has its inode now", () => {
    put("a", "first");
    put("b", "second");
    const own = new OwnFiles();
    claim(own, "a", "ftp://h/a")();
    const stats = fs.statSync(at("a"));
    // Another run replaces both: the new "b" has the inode that "a" had a moment ago.
    fs.renameSync(at("a"), at("b"));
    put("a", "third");
    expect(() => own.claim(at("b"), "ftp://h/b", stats)).not.toThrow();
  });

  test("is told from one of another device with the same inode", () => {
    twoNames();
    put("b", "2");
    const own = new OwnFiles();
    claim(own, "d/a", "ftp://h/a")();
    const { dev, ino } = fs.statSync(at("d/a"));
    own.claim(at("b"), "ftp://h/b", Object.assign(fs.statSync(at("b")), { dev: dev + 1, ino }));
    expect(claim(own, "l/a", "ftp://h/A")).toThrow(same("l/a", "d/a", "ftp://h/a"));
  });

  test("is not another name of the user's for the same content", () => {
    put("a", "1");
    fs.linkSync(at("a"), at("b"));
    const own = new OwnFiles();
    claim(own, "a", "ftp://h/a")();
    expect(claim(own, "b", "ftp://h/b")).not.toThrow();
  });
});

test("a directory has one name in a run, until it is renamed", () => {
  twoNames();
  const own = new OwnFiles();
  const claimed = (name: string) => () => own.claim(at(name), at(name), fs.statSync(at(name)));
  fs.mkdirSync(at("d/s"));
  claimed("d/s")();
  expect(claimed("d/s")).not.toThrow();
  const words = `cannot write "${at("l/s")}": here it is the same as "${at("d/s")}"`;
  expect(claimed("l/s")).toThrow(words);
  fs.renameSync(at("d/s"), at("d/t"));
  expect(claimed("d/t")).not.toThrow();
});

test("a link of a tree has one URL, too", () => {
  twoNames();
  const [top, own] = [at("."), new OwnFiles()];
  const link = { path: at("d/l"), target: "a", url: "ftp://h/l", top, own };
  expect(makeLink(link)).toBe(true);
  expect(makeLink(link)).toBe(false);
  const other = at("l/l");
  const words = same("l/l", "d/l", "ftp://h/l");
  expect(() => makeLink({ ...link, path: other, target: "b", url: "ftp://h/L" })).toThrow(words);
  expect(() => removeTreeLink(other, "ftp://h/L", link)).toThrow(words);
  expect([linkTarget(other), fs.readdirSync(at("d"))]).toEqual(["a", ["a", "l"]]);
});

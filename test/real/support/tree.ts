/**
 * The tree of files that all servers offer: sizes from nothing to 20 MiB, names that are
 * hard on a client, and directories of every kind. Always the same octets, owned by root and
 * read-only, built once into the cache.
 */
import { createCipheriv, createHash } from "node:crypto";
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { buildOnce } from "./cache.ts";

/** A file of the tree; its pathname is octets, one char each (latin1), relative to the root. */
export interface TreeFile {
  readonly pathname: string;
  readonly content: () => Buffer;
}

/** When every file of the tree was modified: a leap day, long ago. */
export const treeModified = new Date("2020-02-29T12:34:56Z");

/** The text of text.txt: LF ends, and a last line without one. */
export const treeText = "first line\nsecond line\n\n\ttabbed, then the end";

const mebibyte = 1024 * 1024;

/** Files for their size. */
export const sizedFiles: readonly TreeFile[] = [
  { pathname: "empty", content: () => Buffer.alloc(0) },
  { pathname: "one", content: () => Buffer.from("1") },
  { pathname: "64k.bin", content: () => randomOctets("64k", 64 * 1024) },
  { pathname: "20m.bin", content: () => randomOctets("20m", 20 * mebibyte) },
];

export const largeFile = sizedFiles.at(-1)!;

/** Files for their name; each holds a short text of its own. */
export const oddFiles: readonly TreeFile[] = [
  "with two  spaces",
  " leading space",
  "trailing space ",
  "n\u00e4h \u6f22\u5b57 \u{1f600}.txt",
  "a#b",
  "a?b=c",
  "100%",
  "%41%2F",
  "odd;type=a",
  "-la",
  'say "hello"',
  "back\\slash",
  "star*[x]",
  "colon:at@host",
  'dir with "quotes"/in side',
].map((name) => named(`names/${utf8Octets(name)}`));

/** The file whose name is not UTF-8: its last letter is the one octet E9. */
export const latin1File: TreeFile = named("names/caf\xe9");

/** The file at the bottom of ten directories. */
export const deepFile: TreeFile = named("deep/2/3/4/5/6/7/8/9/10/bottom");

/** The names in the directory many/. */
export const manyNames: readonly string[] = Array.from(
  { length: 300 },
  (_, index) => `file-${String(index).padStart(3, "0")}`,
);

/** The names in the root: directories, files and the symbolic link to 64k.bin. */
export const rootNames = {
  directories: ["deep", "many", "names", "void"],
  files: [...sizedFiles.map((file) => file.pathname), "text.txt"],
  link: "link-to-64k",
} as const;

/** Builds the tree when it isn't there, and gives its path. */
export async function testTree(): Promise<string> {
  // A change to the tree has to change this name, or old caches will be taken for it.
  return buildOnce("tree-2", (root) => {
    const manyFiles = manyNames.map((name) => named(`many/${name}`));
    const text = { pathname: "text.txt", content: () => Buffer.from(treeText) };
    makeDirectory(root, "void");
    for (const file of [...sizedFiles, ...oddFiles, latin1File, deepFile, ...manyFiles, text])
      writeTreeFile(root, file);
    symlinkSync("64k.bin", posix.join(root, rootNames.link));
  });
}

/** The SHA-256 of octets, in hex. */
export function sha256(octets: Uint8Array): string {
  return createHash("sha256").update(octets).digest("hex");
}

/** A pathname's octets as the path of a URL: all but letters, digits and "/-._~" encoded. */
export function urlPath(pathname: string): string {
  return pathname.replace(
    /[^A-Za-z0-9/\-._~]/g,
    (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

/** The octets of a text in UTF-8, one char each. */
export function utf8Octets(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function named(pathname: string): TreeFile {
  return { pathname, content: () => Buffer.from(`this is ${urlPath(pathname)}\n`) };
}

/** A cipher's key stream: random enough for any test, and the same each time. */
function randomOctets(seed: string, length: number): Buffer {
  const key = createHash("sha256").update(seed).digest();
  return createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(length));
}

function writeTreeFile(root: string, file: TreeFile): void {
  makeDirectory(root, posix.dirname(file.pathname));
  const path = octetPath(root, file.pathname);
  writeFileSync(path, file.content());
  chmodSync(path, 0o444);
  utimesSync(path, treeModified, treeModified);
}

/** Makes a directory and its parents; by chmod, since the umask may forbid others to read. */
function makeDirectory(root: string, pathname: string): void {
  if (pathname === ".") return;
  makeDirectory(root, posix.dirname(pathname));
  const path = octetPath(root, pathname);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o555);
}

function octetPath(root: string, pathname: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(pathname, "latin1")]);
}

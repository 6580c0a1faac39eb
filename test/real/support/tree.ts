/**
 * The files that all servers offer: names that are hard on a client, a tree, a directory of many names. All users
 * may read them.
 */
import { createCipheriv, createHash } from "node:crypto";
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { buildOnce } from "./cache.ts";

/** When every file was modified: a leap day, so long ago that `ls` shows the year. */
export const treeModified = new Date("2020-02-29T12:34:56Z");

export const text = "first line\nsecond line\n";

export const octets = (length: number): Buffer =>
  createCipheriv("aes-256-ctr", Buffer.alloc(32, "key"), Buffer.alloc(16)).update(
    Buffer.alloc(length),
  );

/** Below docs/: a tree. */
export const tree: Readonly<Record<string, string>> = {
  "a.txt": "a",
  "b.txt": "bb",
  "c.dat": "ccc",
  "two words.txt": "two",
  "sub/d.txt": "dddd",
  "sub/deeper/e.txt": "eeeee",
};

/** The names in docs/, as `names` prints them. */
export const listed = ["a.txt", "b.txt", "c.dat", "sub/", "two words.txt"];

/** Names of files in names/, as octets, one char each; each file holds its name. */
export const oddNames: readonly string[] = [
  " leading",
  "trailing ",
  "two  spaces",
  "n\u00e4h.txt",
  "\u6f22\u5b57 \u{1f600}",
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
].map(utf8Octets);

/** A name in names/ that isn't UTF-8. */
export const latin1Name = "caf\xe9";

/** The names in many/. */
export const manyNames = Array.from({ length: 300 }, (_, index) => `file-${1000 + index}`);

/** The names in the root. */
export const rootNames = {
  directories: ["docs", "many", "names", "sums", "void"],
  files: ["10m.bin", "300k.bin", "empty", "text.txt"],
  link: "link",
} as const;

/** The directory with the files, made once into the cache. */
export function testTree(): Promise<string> {
  // A change to the files has to change this name, or those of old caches will be taken for them.
  return buildOnce("tree-3", makeFiles);
}

function makeFiles(root: string): void {
  const verified = "what is verified\n";
  const sum = createHash("sha256").update(verified).digest("hex");
  const files: (readonly [pathname: string, content: string | Buffer])[] = [
    ["text.txt", text],
    ["empty", ""],
    ["300k.bin", octets(300_000)],
    ["10m.bin", octets(10_000_000)],
    ["sums/x.bin", verified],
    ["sums/SHA256SUMS", `${sum}  x.bin\n`],
    ...Object.entries(tree).map(([name, content]) => [`docs/${name}`, content] as const),
    ...[...oddNames, latin1Name].map(
      (name) => [`names/${name}`, Buffer.from(name, "latin1")] as const,
    ),
    ...manyNames.map((name) => [`many/${name}`, ""] as const),
  ];
  for (const [pathname, content] of files) putFile(root, pathname, content);
  makeDirectory(root, "void");
  symlinkSync("300k.bin", join(root, rootNames.link));
}

/** Writes a file below `root`, at a pathname of octets, and the directories above it. */
export function putFile(
  root: string,
  pathname: string,
  content: string | Buffer,
  modified = treeModified,
): void {
  makeDirectory(root, posix.dirname(pathname));
  const path = octetPath(root, pathname);
  writeFileSync(path, content);
  chmodSync(path, 0o644);
  utimesSync(path, modified, modified);
}

/** Makes a directory and its parents; by chmod, since the umask may forbid others to read. */
export function makeDirectory(root: string, pathname: string): void {
  if (pathname === ".") return;
  makeDirectory(root, posix.dirname(pathname));
  const path = octetPath(root, pathname);
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

export function octetPath(root: string, pathname: string): Buffer {
  return Buffer.from(`${utf8Octets(root)}/${pathname}`, "latin1");
}

/** A pathname's octets as the path of a URL: all but letters, digits and "/-._~" encoded. */
export function urlPath(pathname: string): string {
  return pathname.replace(
    /[^A-Za-z0-9/\-._~]/g,
    (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

/** The octets of a text in UTF-8, one char each. */
export function utf8Octets(string: string): string {
  return Buffer.from(string, "utf8").toString("latin1");
}

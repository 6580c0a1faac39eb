/** The files that every server of the table offers, made anew for each run of the tests. */
import { createCipheriv, createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Long ago: `ls` shows the year. */
const modified = new Date("2020-02-29T12:34:56Z");

export const text = "first line\nsecond line\n";

export const octets = (length: number): Buffer =>
  createCipheriv("aes-256-ctr", Buffer.alloc(32, "key"), Buffer.alloc(16)).update(
    Buffer.alloc(length),
  );

const verified = "what is verified\n";
const sum = createHash("sha256").update(verified).digest("hex");

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

const odd = [" leading", "trailing ", "n\u00e4h.txt"];

/** Makes the files; gives their directory, which all users may read. */
export function makeServed(): string {
  const root = mkdtempSync(join(tmpdir(), "ftpull-served-"));
  const files: [string, string | Buffer][] = [
    ["text.txt", text],
    ["300k.bin", octets(300_000)],
    ["10m.bin", octets(10_000_000)],
    ["sums/x.bin", verified],
    ["sums/SHA256SUMS", `${sum}  x.bin\n`],
    ...Object.entries(tree).map(([name, content]) => [`docs/${name}`, content] as [string, string]),
    ...odd.map((name) => [`names/${name}`, name] as [string, string]),
  ];
  chmodSync(root, 0o755);
  for (const [name, content] of files) put(root, name, content);
  return root;
}

function put(root: string, name: string, content: string | Buffer): void {
  const path = join(root, name);
  makeDirectory(root, dirname(path));
  writeFileSync(path, content);
  chmodSync(path, 0o644);
  utimesSync(path, modified, modified);
}

function makeDirectory(root: string, path: string): void {
  if (path === root) return;
  makeDirectory(root, dirname(path));
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

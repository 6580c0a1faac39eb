/**
 * A tree that a test may change: 300 files in 40 directories, some of them empty, with names that
 * are hard on a client, and links of every kind.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { utf8Octets } from "./tree.ts";

/** Octets, one char each. */
const oddNames = [
  " leading",
  "trailing ",
  "  two  each  ",
  "star*",
  "[x]",
  "a;type=a",
  "%41%2F",
  "#hash",
  "what?",
  "-d",
  utf8Octets("\u00fcber \u6f22\u5b57"),
  ".hidden",
];

/** A name that isn't UTF-8, and what it is called here. */
const latin1Name = ["caf\xe9", "caf%E9"] as const;

const directoryCount = 40;
const fileCount = 300;

/** A file or directory as it is here or there. */
export interface Found {
  readonly content?: string;
  readonly modified?: Date;
}

/**
 * Makes the tree `directory`, and beside it one that a link leads to. For a server that `isLogical`,
 * as pyftpdlib is, all names are UTF-8, and no link leads in a circle.
 */
export function makeLinkedTree(directory: string, isLogical: boolean): void {
  const names = isLogical ? oddNames : [...oddNames, latin1Name[0]];
  const directories = [directory];
  const addDirectory = (above: string, name: string): void => {
    const path = octetJoin(above, name);
    mkdirSync(Buffer.from(path, "latin1"));
    directories.push(path);
  };
  mkdirSync(directory);
  for (const name of names) addDirectory(directory, name);
  for (let number = 0; directories.length <= directoryCount; number++)
    addDirectory(directories[number % 20]!, `d${number}`);
  // The last five stay empty.
  const filled = directories.slice(0, -5);
  const odd = filled.slice(-3).flatMap((above) => names.map((name) => octetJoin(above, name)));
  const plain = Array.from({ length: fileCount - odd.length }, (_, number) =>
    octetJoin(filled[number % filled.length]!, `f${number}`),
  );
  for (const [number, path] of [...odd, ...plain].entries()) put(path, contentOf(number), number);
  // They are changed later.
  put(join(directory, "-d", "changed"), "changed", 4);
  put(join(directory, "[x]", "shrunk"), "shrunk", 5);
  put(join(directory, "-d", "removed"), "removed", 6);
  addLinks(directory, isLogical);
}

function addLinks(directory: string, isLogical: boolean): void {
  const outside = `${directory}.outside`;
  mkdirSync(join(outside, "below"), { recursive: true });
  put(join(outside, "x"), "outside", 1);
  put(join(outside, "below", "y"), "below", 2);
  const links = {
    "to-file": "d0/f13",
    "to-directory": `../${outside.split("/").at(-1)}`,
    "to-sibling": "d0",
    "to-nowhere": "missing",
    ...(isLogical ? {} : { "d0/to-parent": "..", "d0/to-itself": "." }),
  };
  put(join(directory, "d0", "f13"), "linked", 3);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(directory, name));
}

/** Writes a file whose time follows from a number. */
export function put(path: string, content: string, number: number): void {
  const octets = Buffer.from(path, "latin1");
  writeFileSync(octets, content, "latin1");
  const seconds = Date.UTC(2020, 0, 1) / 1000 + number;
  utimesSync(octets, seconds, seconds);
}

function contentOf(number: number): string {
  if (number % 10 === 0) return "";
  return `file ${number}\n`.repeat(number % 50 === 1 ? 20_000 : 1);
}

/** Everything below a served directory under the names that it gets here; links are followed. */
export function servedTree(directory: string): Map<string, Found> {
  return found(directory, (name) => (name === latin1Name[0] ? latin1Name[1] : decoded(name)));
}

/** Everything below a local directory. */
export function fetchedTree(directory: string): Map<string, Found> {
  return found(directory, decoded);
}

function found(top: string, shown: (name: string) => string): Map<string, Found> {
  const all = new Map<string, Found>();
  const walk = (directory: string, label: string): void => {
    for (const name of readdirSync(Buffer.from(directory, "latin1"), "latin1").toSorted()) {
      const path = octetJoin(directory, name);
      const stats = statSync(Buffer.from(path, "latin1"), { throwIfNoEntry: false });
      const key = `${label}${shown(name)}`;
      if (stats === undefined || isLoop(name)) continue;
      if (stats.isDirectory()) {
        all.set(key, {});
        walk(path, `${key}/`);
      } else {
        const content = readFileSync(Buffer.from(path, "latin1"), "latin1");
        all.set(key, { content, modified: stats.mtime });
      }
    }
  };
  walk(utf8Octets(top), "");
  return all;
}

function isLoop(name: string): boolean {
  return name === "to-parent" || name === "to-itself";
}

function decoded(name: string): string {
  return Buffer.from(name, "latin1").toString();
}

function octetJoin(above: string, name: string): string {
  return `${above}/${name}`;
}

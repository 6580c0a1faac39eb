/**
 * The files that the scripted server offers: an in-memory tree. Names and pathnames are
 * octets (latin1 strings), as they are on the wire.
 */

import { posix } from "node:path";
import { generatedOctets } from "./generated.ts";
import type { FileContent, FileSource, ServerOptions } from "./options.ts";

export interface FileEntry {
  kind: "file";
  size: number;
  modified: Date;
  read(offset: number): Iterable<Buffer>;
}

export interface DirectoryEntry {
  kind: "directory";
  modified: Date;
  entries: Map<string, EntryOrLink>;
}

export interface LinkEntry {
  kind: "link";
  modified: Date;
  target: string;
}

export type Entry = FileEntry | DirectoryEntry;

export type EntryOrLink = Entry | LinkEntry;

export const defaultModified = new Date("2020-01-02T03:04:05Z");

/** The UTF-8 octets of a text, one char an octet: "ü" becomes "\xc3\xbc". */
export function octets(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

export function buildTree(options: ServerOptions): DirectoryEntry {
  const root = emptyDirectory();
  const encode = options.nameEncoding === "latin1" ? (name: string) => name : octets;
  for (const pathname of [options.loginDirectory ?? "/", ...(options.directories ?? [])]) {
    makeDirectory(root, segmentsOf(encode(pathname)));
  }
  const add = (pathname: string, entry: EntryOrLink): void => {
    const segments = segmentsOf(encode(pathname));
    const name = segments.pop() ?? "";
    makeDirectory(root, segments).entries.set(name, entry);
  };
  for (const [pathname, source] of Object.entries(options.files ?? {}))
    add(pathname, fileEntry(source));
  for (const [pathname, target] of Object.entries(options.links ?? {}))
    add(pathname, { kind: "link", modified: defaultModified, target: encode(target) });
  for (const [pathname, modified] of Object.entries(options.directoryDates ?? {}))
    makeDirectory(root, segmentsOf(encode(pathname))).modified = modified;
  return root;
}

export function findEntry(root: DirectoryEntry, pathname: string): Entry | undefined {
  const entry = lookUp(root, pathname)?.entry;
  return entry?.kind === "link" ? undefined : entry;
}

export function realPathname(root: DirectoryEntry, pathname: string): string | undefined {
  return lookUp(root, pathname)?.pathname;
}

interface Place {
  entry: EntryOrLink;
  pathname: string;
}

function lookUp(root: DirectoryEntry, pathname: string, linksLeft = 40): Place | undefined {
  let place: Place | undefined = { entry: root, pathname: "/" };
  for (const segment of segmentsOf(posix.resolve("/", pathname))) {
    if (place?.entry.kind !== "directory") return undefined;
    const entry = place.entry.entries.get(segment);
    if (entry === undefined) return undefined;
    const above: string = place.pathname;
    if (entry.kind !== "link") place = { entry, pathname: posix.join(above, segment) };
    else if (linksLeft === 0) return undefined;
    else place = lookUp(root, posix.resolve(above, entry.target), linksLeft - 1);
  }
  return place;
}

export function resolvePathname(workingDirectory: string, argument: string): string {
  return posix.resolve("/", workingDirectory, argument);
}

export function fileEntry(source: FileSource): FileEntry {
  const isDated = typeof source === "object" && "content" in source;
  const content = isDated ? source.content : source;
  const modified = isDated ? source.modified : defaultModified;
  const { size, slice } = sliceable(content);
  return { kind: "file", size, modified, read: (offset) => pieces(offset, size, slice) };
}

type Slice = (start: number, end: number) => Buffer;

function sliceable(content: FileContent): { size: number; slice: Slice } {
  if (typeof content === "object" && "seed" in content) {
    const { size, seed } = content;
    return { size, slice: (start, end) => generatedOctets(seed, start, end) };
  }
  const stored = Buffer.from(content);
  return { size: stored.length, slice: (start, end) => stored.subarray(start, end) };
}

function* pieces(offset: number, size: number, slice: Slice): Generator<Buffer> {
  const pieceSize = 64 * 1024;
  for (let at = offset; at < size; at += pieceSize) {
    yield slice(at, Math.min(at + pieceSize, size));
  }
}

function makeDirectory(root: DirectoryEntry, segments: readonly string[]): DirectoryEntry {
  let directory = root;
  for (const segment of segments) {
    const known = directory.entries.get(segment);
    if (known !== undefined && known.kind !== "directory")
      throw new Error(`"${segment}" is a directory and something else`);
    const next: DirectoryEntry = known ?? emptyDirectory();
    directory.entries.set(segment, next);
    directory = next;
  }
  return directory;
}

function emptyDirectory(): DirectoryEntry {
  return { kind: "directory", modified: defaultModified, entries: new Map() };
}

function segmentsOf(pathname: string): string[] {
  return pathname.split("/").filter((segment) => segment !== "");
}

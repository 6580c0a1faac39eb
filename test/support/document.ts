/** The answer to RETR and the listing commands: octets of the representation type, or a refusal. */

import { listLines, mlsdLines } from "./listing.ts";
import type { Exchange } from "./script.ts";
import type { Session } from "./session.ts";
import type { DirectoryEntry, EntryOrLink, FileEntry } from "./tree.ts";

export type Document = { octets: Iterable<Buffer> } | { refusal: string };

export function openDocument(exchange: Exchange): Document {
  const { verb, argument, session } = exchange;
  if (verb === "RETR") return retrieved(session, argument);
  if (verb === "MLSD") return machineListing(session, argument);
  const entries = listedEntries(exchange);
  return listing(verb === "NLST" ? entries.map(([name]) => name) : listLines(entries));
}

function retrieved(session: Session, pathname: string): Document {
  const entry = session.find(pathname);
  const offset = session.offset;
  session.offset = 0;
  if (entry?.kind !== "file") return { refusal: `550 ${pathname}: no such file` };
  if (offset > entry.size) return { refusal: "554 The file is shorter than the restart offset" };
  return { octets: "AU".includes(session.type) ? networkText(entry, offset) : entry.read(offset) };
}

function* networkText(file: FileEntry, offset: number): Generator<Buffer> {
  for (const piece of file.read(offset)) {
    yield Buffer.from(piece.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
  }
}

function machineListing(session: Session, pathname: string): Document {
  const entry = session.find(pathname);
  if (!entry) return { refusal: `550 ${pathname}: no such directory` };
  if (entry.kind === "file") return { refusal: `501 ${pathname}: not a directory` };
  return listing(mlsdLines(entry));
}

type NamedEntry = [name: string, entry: EntryOrLink];

/** The entries for LIST and NLST. A leading hyphen begins options, as for `ls`; the listing of nothing is empty. */
function listedEntries({ verb, argument, session }: Exchange): NamedEntry[] {
  const entries = entriesAt(session, argument.replace(/^-\S* ?/, ""));
  if (!session.context.options.hidesDots) return entries;
  const asksForDots = /^-\S*a/.test(argument);
  if (!asksForDots) return entries.filter(([name]) => !name.startsWith("."));
  if (verb !== "LIST") return entries;
  return [[".", session.find(".")!], ["..", session.find("..")!], ...entries];
}

function entriesAt(session: Session, pathname: string): NamedEntry[] {
  const entry = session.find(pathname);
  if (!entry) return [];
  if (entry.kind === "file") return [[pathname, entry]];
  return pathname === "" ? [...entry.entries] : prefixed(entry, pathname);
}

function prefixed(directory: DirectoryEntry, pathname: string): NamedEntry[] {
  const above = pathname.replace(/\/?$/, "/");
  return Array.from(directory.entries, ([name, entry]) => [above + name, entry]);
}

function listing(lines: string[]): Document {
  return { octets: [Buffer.from(lines.map((line) => `${line}\r\n`).join(""), "latin1")] };
}

/**
 * The name of the file in which a small document is written before it gets its own name. It tells
 * which process writes it, so that a later run can remove what a killed one left.
 */
import { createHash } from "node:crypto";
import { opendirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { processStart, thisMachine } from "./process-start.ts";

/** Machine, process number and start of the process. */
const pattern = /^\.ftpull-([0-9a-f]{8})-(\d+)-([0-9a-f]{8})\.part$/;

/** The directories that were searched lately. */
const searched = new Set<string>();
const mostSearched = 1000;

let machine: string | undefined;
let ownName: string | undefined;

/** The same name each time, since one document is written at a time. */
export function temporaryIn(directory: string): string {
  machine ??= shortHash(thisMachine());
  ownName ??= `.ftpull-${machine}-${process.pid}-${shortHash(processStart(process.pid) ?? "")}.part`;
  if (!searched.has(directory)) search(directory);
  return join(directory, ownName);
}

function search(directory: string): void {
  if (searched.size === mostSearched) searched.clear();
  try {
    removeLeft(directory);
    searched.add(directory);
  } catch {
    // what can't be read or removed stays there
  }
}

/** Removes the files of this machine's processes that were killed. */
function removeLeft(directory: string): void {
  const entries = opendirSync(directory, { bufferSize: 1024 });
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync())
      if (entry.isFile() && isLeft(entry.name)) rmSync(join(directory, entry.name));
  } finally {
    entries.closeSync();
  }
}

function isLeft(name: string): boolean {
  const [, where, pid, start] = pattern.exec(name) ?? [];
  if (pid === undefined || where !== machine) return false;
  const present = processStart(Number(pid));
  const isDead = present === undefined || (present !== "unknown" && shortHash(present) !== start);
  return name === ownName || isDead;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

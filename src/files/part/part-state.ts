/**
 * `name.part.json`: whose octets `name.part` holds, so that a later run goes on with the
 * same document only. A person or a full disk may have spoilt it: then it says nothing.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { isOutOfFiles } from "../../errors.ts";
import { readRegular } from "../bounded-read.ts";
import type { DocumentIdentity, PartialDocument } from "../destination.ts";
import { fileError, writing } from "../file-error.ts";
import { endOfRest, octetsIn, parseGaps, type Gap } from "../gaps.ts";
import { isTaken, regularSize } from "../regular-file.ts";

type PartState = Pick<PartialDocument, "document" | "missing">;

/** Ours is shorter by far; what another program has put in its place may have no end. */
const longest = 64 * 1024;

/** What `part`, a file of `length` octets, holds of a document; undefined when that is nothing. */
export function readPartial(part: string, length: number): PartialDocument | undefined {
  if (length === 0) return undefined;
  const { document, missing } = readState(part) ?? {};
  if (missing === undefined) return { octets: length, document, inPlace: false };
  const { size = 0 } = document ?? {};
  // The file was cut, by a program or a power failure: nothing is known of what is left. And no
  // run writes down that nothing is missing, which the file's end couldn't prove either.
  if (endOfRest(missing, size) > length || missing.length === 0)
    return { octets: length, document: undefined, inPlace: false };
  const octets = size - octetsIn(missing);
  return octets === 0 ? undefined : { octets, missing, document, inPlace: false };
}

/**
 * Whether the file beside `part` is this program's. A partial file without one belongs to
 * another program; one of our own has it from before it is created until after it has gone.
 */
export function hasState(part: string): boolean {
  return readJson(`${part}.json`) !== undefined;
}

/** The URL of the document that `part` holds octets of; null where no run can go on with them. */
export function urlIn(part: string): string | null | undefined {
  return readJson(`${part}.json`)?.["url"] as string | null | undefined;
}

/** What the file beside `part` says; undefined when it is missing or broken. */
function readState(part: string): PartState | undefined {
  const { url, size, modified, segments } = readJson(`${part}.json`) ?? {};
  if (typeof url !== "string") return undefined;
  const time = new Date(typeof modified === "string" ? modified : Number.NaN);
  const document = {
    url,
    size: Number.isSafeInteger(size) ? (size as number) : undefined,
    modified: Number.isNaN(time.getTime()) ? undefined : time,
  };
  if ((segments ?? null) === null) return { document };
  // Taken for a beginning, pieces would make a wrong document.
  const missing = parseGaps(segments, document.size ?? 0);
  return missing && { document, missing };
}

function readJson(path: string): Record<string, unknown> | undefined {
  try {
    const text = readRegular(path, longest, "refuse").octets.toString();
    const state = JSON.parse(text) as Record<string, unknown>;
    const isOurs = ["url", "size", "modified", "segments"].every((key) =>
      Object.hasOwn(state, key),
    );
    return isOurs && (state["url"] === null || typeof state["url"] === "string")
      ? state
      : undefined;
  } catch (error) {
    if (isOutOfFiles(error)) throw fileError("read", path, error);
    return undefined; // another program's, or spoilt by a power failure
  }
}

/**
 * Replaces the file as a whole: a reader, or the next run after a kill, finds the old one or the new one.
 * Without a document it says that `part` is this program's, and that no run can go on with it.
 */
export function writeState(
  part: string,
  document: DocumentIdentity | undefined,
  missing?: readonly Gap[],
): void {
  const { url = null, size = null, modified = null } = document ?? {};
  const state = { url, size, modified, segments: missing ?? null };
  const fresh = freshName(part);
  writing(`${part}.json`, () => {
    rmSync(fresh, { force: true });
    try {
      writeFileSync(fresh, `${JSON.stringify(state)}\n`, { flag: "wx" });
      renameSync(fresh, `${part}.json`);
    } catch (error) {
      rmSync(fresh, { force: true });
      throw error;
    }
  });
}

/** Where a state is written before it gets its name. What a killed run has left there is ours. */
function freshName(part: string): string {
  let name = `${part}.temp`; // no longer than ".json": the name may be of the greatest length
  // A run that is killed before it writes leaves an empty one.
  const isFree = (): boolean =>
    !isTaken(name) || regularSize(name) === 0 || readJson(name) !== undefined;
  for (let number = 1; !isFree(); number++) name = `${part}.temp${number}`;
  return name;
}

/** Removes the file, if it is there. */
export function removeState(part: string): void {
  writing(`${part}.json`, () => rmSync(`${part}.json`, { force: true }));
}

/** Removes `part` where it is this program's, and then its state: never is it there without. */
export function removePart(part: string): void {
  if (!hasState(part)) return;
  writing(part, () => rmSync(part, { force: true }));
  removeState(part);
}

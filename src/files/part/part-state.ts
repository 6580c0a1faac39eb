/**
 * The resume state `name.part.json`: the document whose octets `name.part` holds, so that a later
 * run resumes that document only. A state that was edited or cut is ignored.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { isOutOfFiles } from "../../errors.ts";
import type { DocumentIdentity, PartialDocument } from "../destination.ts";
import { fileError, writing } from "../file-error.ts";
import { endOfRest, octetsIn, parseGaps, type Gap } from "../gaps.ts";
import { isTaken, readRegular, regularSize } from "../regular-file.ts";

type PartState = Pick<PartialDocument, "document" | "missing">;

/** This program's states are far shorter; another program's file may have no end. */
const longest = 64 * 1024;

/** What `part`, a file of `length` octets, holds of a document; undefined for nothing. */
export function readPartial(part: string, length: number): PartialDocument | undefined {
  if (length === 0) return undefined;
  const { document, missing } = readState(part) ?? {};
  const beginning = { octets: length, document, inPlace: false };
  if (missing === undefined) return beginning;
  const { size = 0 } = document ?? {};
  // The state is worthless when the file was cut; and no run saves one without gaps.
  if (endOfRest(missing, size) > length || missing.length === 0)
    return { ...beginning, document: undefined };
  const octets = size - octetsIn(missing);
  return octets === 0 ? undefined : { ...beginning, octets, missing };
}

/** Whether `part` is this program's: the state is written before it and removed after it. */
export function hasState(part: string): boolean {
  return readJson(`${part}.json`) !== undefined;
}

/** The URL of the document in `part`; null where no run can resume it. */
export function urlIn(part: string): string | null | undefined {
  return readJson(`${part}.json`)?.["url"] as string | null | undefined;
}

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
    return undefined; // another program's, or damaged by a power failure
  }
}

/** Replaces the state atomically. Without a document, it says that `part` can't be resumed. */
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

/** A temporary name for a new state; one that a killed run left there is overwritten. */
function freshName(part: string): string {
  let name = `${part}.temp`; // no longer than ".json": the name may be of the greatest length
  // A run that is killed before it writes leaves an empty file.
  const isFree = (): boolean =>
    !isTaken(name) || regularSize(name) === 0 || readJson(name) !== undefined;
  for (let number = 1; !isFree(); number++) name = `${part}.temp${number}`;
  return name;
}

export function removeState(part: string): void {
  writing(`${part}.json`, () => rmSync(`${part}.json`, { force: true }));
}

/** Removes `part` if it is this program's, and its state afterwards. */
export function removePart(part: string): void {
  if (!hasState(part)) return;
  writing(part, () => rmSync(part, { force: true }));
  removeState(part);
}

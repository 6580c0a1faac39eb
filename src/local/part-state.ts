/**
 * `name.part.json`: whose octets `name.part` holds, so that a later run goes on with the
 * same document only. A person or a full disk may have spoilt it: then it says nothing.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { readRegular } from "./bounded-read.ts";
import { writing } from "./file-error.ts";
import type { DocumentIdentity, PartialDocument } from "./destination.ts";
import { endOfRest, octetsIn, parseGaps, type Gap } from "./gaps.ts";

/** No note of ours is larger: the URL is at most as long as a command, and the gaps are few. */
const mostOctets = 64 * 1024;

type PartState = Pick<PartialDocument, "document" | "missing">;

/** What `part`, a file of `length` octets, holds of a document; undefined when that is nothing. */
export function readPartial(part: string, length: number): PartialDocument | undefined {
  if (length === 0) return undefined;
  const { document, missing } = readState(part) ?? {};
  if (missing === undefined) return { octets: length, document, inPlace: false };
  const { size = 0 } = document ?? {};
  // Somebody cut the file, or a power failure did: nothing is known of what is left.
  if (endOfRest(missing, size) > length)
    return { octets: length, document: undefined, inPlace: false };
  const octets = size - octetsIn(missing);
  return octets === 0 ? undefined : { octets, missing, document, inPlace: false };
}

/** What the file beside `part` says; undefined when it is missing or broken. */
function readState(part: string): PartState | undefined {
  try {
    const { url, size, modified, segments } = JSON.parse(
      readRegular(`${part}.json`, mostOctets, "refuse").octets.toString(),
    ) as Record<string, unknown>;
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
  } catch {
    return undefined; // unreadable is as good as missing: the document begins again
  }
}

/** Replaces the file as a whole: a reader, or the next run after a kill, finds the old one or the new one. */
export function writeState(
  part: string,
  document: DocumentIdentity,
  missing?: readonly Gap[],
): void {
  const { url, size, modified } = document;
  const state = { url, size: size ?? null, modified: modified ?? null, segments: missing ?? null };
  const fresh = `${part}.temp`; // no longer than ".json": the name may be of the greatest length
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

/** Removes the file, if it is there. */
export function removeState(part: string): void {
  writing(`${part}.json`, () => rmSync(`${part}.json`, { force: true }));
}

/** Removes `part`, if it is there, and the file beside it first. */
export function removePart(part: string): void {
  removeState(part);
  writing(part, () => rmSync(part, { force: true }));
}

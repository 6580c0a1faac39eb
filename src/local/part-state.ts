/**
 * `name.part.json`: whose octets `name.part` holds, so that a later run goes on with the
 * same document only. A person or a full disk may have spoilt it: then it says nothing.
 */
import * as fs from "node:fs";
import { writing } from "./file-error.ts";
import type { DocumentIdentity } from "./destination.ts";

/** What the file beside `part` says; undefined when it is missing, broken or of a segmented transfer. */
export function readState(part: string): DocumentIdentity | undefined {
  try {
    return identityOf(JSON.parse(fs.readFileSync(`${part}.json`, "utf8")));
  } catch {
    return undefined; // unreadable is as good as missing: the document begins again
  }
}

function identityOf(state: unknown): DocumentIdentity | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  const { url, size, modified, segments } = state as Record<string, unknown>;
  if (typeof url !== "string" || (segments ?? null) !== null) return undefined;
  const time = typeof modified === "string" ? new Date(modified) : undefined;
  return {
    url,
    size: Number.isSafeInteger(size) ? (size as number) : undefined,
    modified: time === undefined || Number.isNaN(time.getTime()) ? undefined : time,
  };
}

/** Replaces the file as a whole: a reader, or the next run after a kill, finds the old one or the new one. */
export function writeState(part: string, document: DocumentIdentity): void {
  const { url, size, modified } = document;
  const state = { url, size: size ?? null, modified: modified ?? null, segments: null };
  const fresh = `${part}.temp`; // no longer than ".json": the name may be of the greatest length
  writing(`${part}.json`, () => {
    fs.rmSync(fresh, { force: true });
    try {
      fs.writeFileSync(fresh, `${JSON.stringify(state)}\n`, { flag: "wx" });
      fs.renameSync(fresh, `${part}.json`);
    } catch (error) {
      fs.rmSync(fresh, { force: true });
      throw error;
    }
  });
}

/** Removes the file, if it is there. */
export function removeState(part: string): void {
  writing(`${part}.json`, () => fs.rmSync(`${part}.json`, { force: true }));
}

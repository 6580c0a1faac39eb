/** The resume state of a document: state.json in its folder. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import type { Version, PartialDocument } from "../destination.ts";
import { errorCode, fileError } from "../file-error.ts";
import { type Gap, parseGaps } from "../gaps.ts";
import { readRegular } from "../regular-file.ts";

type State = Pick<PartialDocument, "document" | "missing">;

/** This program's states are far shorter; a FIFO or a device may have no end. */
const longestState = 64 * 1024;

/**
 * Replaces the state in one step, so that a full disk leaves the old one. `fresh` is a name for the
 * new file.
 */
export function writeState(
  path: string,
  fresh: string,
  { url, size, modified }: Version,
  missing: readonly Gap[] | undefined,
): void {
  const state = { url, size: size ?? null, modified: modified ?? null, missing: missing ?? null };
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify(state)}\n`, { flag: "wx" }); // never through a link
  renameSync(fresh, path);
}

/** Undefined for a state that was cut or edited. @throws FtpullError "file" if it can't be read */
export function readState(path: string): State | undefined {
  try {
    return parseState(readRegular(path, longestState, "refuse").octets.toString());
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || code === "ENOENT") return undefined;
    throw fileError("read", path, error);
  }
}

function parseState(text: string): State | undefined {
  const read = (JSON.parse(text) as Record<string, unknown> | null) ?? {};
  const { url, size, modified, missing: gaps = null } = read;
  if (typeof url !== "string") return undefined;
  const time = new Date(typeof modified === "string" ? modified : Number.NaN);
  const document = {
    url,
    size: Number.isSafeInteger(size) ? (size as number) : undefined,
    modified: Number.isNaN(time.getTime()) ? undefined : time,
  };
  if (gaps === null) return { document };
  // A file with gaps never counts as a document's beginning.
  const missing = parseGaps(gaps, document.size ?? 0);
  return missing && { document, missing };
}

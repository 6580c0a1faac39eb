/** The resume state of a document: state.json in its folder. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Version, PartialDocument } from "../destination.ts";
import { errorCode, fileError } from "../file-error.ts";
import { parseGaps } from "../gaps.ts";
import { readRegular } from "../regular-file.ts";

type State = Pick<PartialDocument, "document" | "missing" | "replaceable">;

const longestState = 64 * 1024;

/** Replaces the state in one step, so that a full disk leaves the old one. Octets in order have no `missing`. */
export function writeState(
  folder: string,
  { document, missing, replaceable }: State & { readonly document: Version },
): void {
  const { url, size = null, modified = null } = document;
  const fresh = join(folder, "state.new");
  rmSync(fresh, { force: true });
  const state = JSON.stringify({ url, size, modified, missing: missing ?? null, replaceable });
  writeFileSync(fresh, `${state}\n`, { flag: "wx" }); // "wx" writes through no link.
  renameSync(fresh, join(folder, "state.json"));
}

/** Undefined for a state that was cut or edited. @throws FtpullError "file" if it can't be read */
export function readState(folder: string): State | undefined {
  const path = join(folder, "state.json");
  try {
    return parseState(readRegular(path, longestState, "refuse").octets.toString());
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || code === "ENOENT") return undefined;
    throw fileError("read", path, error);
  }
}

function parseState(text: string): State | undefined {
  const fields = (JSON.parse(text) as Record<string, unknown> | null) ?? {};
  const { url, size, modified, missing: gaps = null, replaceable } = fields;
  if (typeof url !== "string") return undefined;
  const time = new Date(typeof modified === "string" ? modified : Number.NaN);
  const document = {
    url,
    size: Number.isSafeInteger(size) ? (size as number) : undefined,
    modified: Number.isNaN(time.getTime()) ? undefined : time,
  };
  if (gaps === null) return { document, replaceable };
  // Without its gaps, a file that has some would count as a document's beginning: then there is no state.
  const missing = parseGaps(gaps, document.size ?? 0);
  return missing && { document, missing, replaceable };
}

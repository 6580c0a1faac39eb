/**
 * A document's beginning under its final name, as wget and others leave it. While this program
 * continues it, it is the partial file; unless that is published, it gets its name back.
 */
import { renameSync, truncateSync } from "node:fs";
import type { DocumentIdentity, PartialDocument } from "../destination.ts";
import { writing } from "../file-error.ts";
import { existingFile, isTaken, regularSize } from "../regular-file.ts";
import { hasState, writeState } from "./part-state.ts";
import type { Reservation } from "./reserve.ts";

export function partialInPlace(path: string): PartialDocument | undefined {
  const { octets = 0, modified } = existingFile(path) ?? {};
  if (octets === 0 || modified === undefined) return undefined;
  return { octets, document: undefined, inPlace: true, modified };
}

/** Makes the file the partial one; returns how many octets it has. */
export function takeOver({ path, part }: Reservation, document: DocumentIdentity | undefined) {
  const octets = existingFile(path)?.octets;
  writeState(part, document);
  renameSync(path, part);
  return octets;
}

/** Gives the first `octets` octets of the partial file their name back. */
export function giveBack({ path, part }: Reservation, octets: number): void {
  if (isTaken(path) || !hasState(part) || (regularSize(part) ?? 0) < octets) return;
  writing(path, () => {
    truncateSync(part, octets);
    renameSync(part, path);
  });
}

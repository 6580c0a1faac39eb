/** The name of a file here: the end of a link, or the first one that is free. */
import type { Stats } from "node:fs";
import { isSameUrl } from "../../url/format.ts";
import type { Existing } from "../existing.ts";
import { followLinks } from "../links.ts";
import { found, foundItself, isTaken } from "../regular-file.ts";
import { readState, writerOf } from "./part-state.ts";

/** A name, and the file that it had when the transfer began. */
export interface LocalName {
  readonly path: string;
  readonly present: Stats | undefined;
}

/** The file that is made or replaced for `path`: the end of a symbolic link, as with wget and curl. */
export function targetOf(path: string, { replacesLinks }: Existing): LocalName {
  const itself = foundItself(path);
  if (!itself?.isSymbolicLink() || replacesLinks) return { path, present: itself };
  const target = followLinks(path);
  return { path: target, present: found(target) };
}

/** The first of `path`, `path.1`, ... that is free, and has no partial file but an ended run's of this URL. */
export function freeName(path: string, url: string): string {
  let name = path;
  for (let number = 1; !isFree(name, url); number++) name = `${path}.${number}`;
  return name;
}

function isFree(name: string, url: string): boolean {
  if (isTaken(name)) return false;
  const state = readState(name);
  if (state === undefined) return true;
  return writerOf(name, state) === undefined && isSameUrl(state.url, url);
}

/** The URLs of entries. */
import { encodeName } from "../text/percent.ts";
import type { Entry } from "./entry.ts";

/**
 * The URL of an entry of `directory`, whose URL ends in a slash, as a directory's does. It names
 * the octets of the listing, whatever they mean in a URL. Undefined for a line that isn't read.
 */
export function entryUrl(directory: string, { name, type, isRead }: Entry): string | undefined {
  if (!isRead) return undefined;
  return directory + encodeName(name) + (type === "directory" ? "/" : "");
}

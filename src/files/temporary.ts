/** Names of this process alone, for what a rename gives its name at once. */
import { dirname, join } from "node:path";
import { temporaryPrefix } from "./names.ts";

/** A path beside another one: `.ftpull-` and 16 hexadecimal digits. node:crypto would take 3 ms to load. */
export function temporaryPath(path: string): string {
  return join(dirname(path), temporaryPrefix + digits() + digits());
}

function digits(): string {
  const number = Math.floor(Math.random() * 2 ** 32);
  return number.toString(16).padStart(8, "0");
}

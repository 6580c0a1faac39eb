/** Tells if a descriptor is a terminal. Node's module for terminals is loaded only where it may be one. */
import { fstatSync } from "node:fs";
import { isatty } from "node:tty";

export function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    if (!fstatSync(fd).isCharacterDevice()) return false;
  } catch {} // What can't be examined may still be a console of Windows.
  return isatty(fd);
}

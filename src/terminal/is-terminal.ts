/** Tells if a descriptor is a terminal. Node's module for terminals is loaded only where it may be one. */
import { fstatSync } from "node:fs";
import { isatty } from "node:tty";

export function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && isatty(fd);
  } catch {
    return false; // A descriptor that is closed.
  }
}

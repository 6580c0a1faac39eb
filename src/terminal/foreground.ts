/** Tells if the program may draw: a background job shares the terminal with the user's typing. */
import { readFileSync } from "node:fs";

/** False for a background job (`ftpull ... &`); true if the system doesn't tell. */
export function isInForeground(): boolean {
  const [, , group, , , foreground] = processStat();
  // Without a terminal, or if another container owns it, there is no foreground group.
  return foreground === undefined || Number(foreground) <= 0 || foreground === group;
}

/** The fields of Linux's /proc/self/stat behind the name: state, parent, group, ... (proc(5)). */
function processStat(): string[] {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

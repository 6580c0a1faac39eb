/** Tells if the program may draw: a background job shares the terminal with the user's typing. */
import { readFileSync } from "node:fs";

export function isInForeground(): boolean {
  try {
    // Linux's fields behind the program's name: state, parent, group, ... (proc(5)).
    const stat = readFileSync("/proc/self/stat", "latin1").replace(/^.*\) /s, "");
    const [, , group, , , foreground] = stat.split(" ");
    // Without a terminal, or if another container owns it, there is no foreground group.
    return Number(foreground) <= 0 || foreground === group;
  } catch {
    return true;
  }
}

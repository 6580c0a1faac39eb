/** Tells if the program may draw: a background job shares the terminal with the user's typing. */
import { readFileSync } from "node:fs";

export function isInForeground(): boolean {
  try {
    const stat = readFileSync("/proc/self/stat", "latin1");
    const fields = stat.replace(/^.*\) /s, "").split(" ");
    const [_state, _parent, group, _session, _terminal, foreground] = fields;
    // Without a terminal, or if another container owns it, there is no foreground group.
    return Number(foreground) <= 0 || foreground === group;
  } catch {
    return true;
  }
}

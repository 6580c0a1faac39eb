/** Whether the program may draw: in the background it shares the terminal with what is typed. */
import { readFileSync } from "node:fs";

/** False for a job in the background (`ftpull ... &`); true where the system doesn't say. */
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

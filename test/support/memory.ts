/** How much memory a process that isn't ours to change has had resident at most. */

import { readFileSync } from "node:fs";

/** Often enough to see the last of what a process of some seconds takes. */
const intervalMs = 10;

/** Looks at the process until it has ended. */
export function watchMemory(pid: number): { peakMB(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    const present = highWaterMB(pid);
    if (present === undefined) clearInterval(timer);
    else peak = present;
  }, intervalMs);
  return { peakMB: () => (clearInterval(timer), peak) };
}

/** The system's own note of the most (proc(5), VmHWM); undefined when the process has ended. */
function highWaterMB(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return kilobytes ? (Number(kilobytes[1]) * 1024) / 1e6 : undefined;
  } catch {
    return undefined;
  }
}

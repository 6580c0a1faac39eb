/** Measures memory: another process's peak, and this process's live objects. */

import { readFileSync } from "node:fs";
import { Session } from "node:inspector";

/** Often enough to see the last of what a process of some seconds takes. */
const intervalMs = 10;

/** Growth of this process's heap by `work`, without garbage. */
export function growthMB(work: () => void): number {
  const before = usedMB();
  work();
  return usedMB() - before;
}

function usedMB(): number {
  const session = new Session();
  session.connect();
  session.post("HeapProfiler.collectGarbage");
  session.disconnect();
  return process.memoryUsage().heapUsed / 1e6;
}

/** The most that another process has had resident: looks at it until it has ended. */
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

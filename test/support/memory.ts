/** The resident maximum of another process. */
import { readFileSync } from "node:fs";

const intervalMs = 10;

export function watchMemory(pid: number): { peakMB(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    const present = highWaterMB(pid);
    if (present === undefined) clearInterval(timer);
    else peak = present;
  }, intervalMs);
  const peakMB = (): number => {
    clearInterval(timer);
    return peak;
  };
  return { peakMB };
}

function highWaterMB(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return kilobytes ? (Number(kilobytes[1]) * 1024) / 1e6 : undefined;
  } catch {
    return undefined;
  }
}

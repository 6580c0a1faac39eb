/** Measures memory of other processes: the resident maximum, or the growth by a call. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { buildSync } from "esbuild";

const intervalMs = 10;

/**
 * Growth of the memory in use, without garbage, by a call in a process of its own. The function's
 * result is kept until the memory is measured.
 */
export function growthMB(modulePath: string, name: string): number {
  const contents = `import { ${name} } from "${modulePath}";
    const usedMB = () => {
      gc();
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / 1e6;
    };
    const before = usedMB();
    const kept = ${name}();
    console.log(usedMB() - before);
    process.exitCode = kept === undefined ? 1 : 0;`;
  const stdin = { contents, resolveDir: process.cwd() };
  const built = buildSync({ stdin, bundle: true, platform: "node", format: "cjs", write: false });
  const args = ["--expose-gc", "-"];
  return Number(execFileSync(process.execPath, args, { input: built.outputFiles[0]!.text }));
}

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

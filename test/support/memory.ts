/** The memory of other processes: the most that was resident, or what a call leaves in use. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { buildSync } from "esbuild";

/** Often enough to see the last of what a process of some seconds takes. */
const intervalMs = 10;

/**
 * Growth of the memory in use, garbage left out, by a call of a module's function: in a process of
 * its own, so that no other test adds to it. The function's result is kept until it is measured.
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

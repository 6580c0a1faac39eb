/** The memory that is in use after long lists; the bound of a run with 400,000 lines is 200 MB. */
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";

const lists = "./test/checksums/support/long-lists.ts";

test.each([
  ["aLongList", 130],
  ["aLineWithoutEnd", 10],
])("%s takes less than %i MB", (name, most) => {
  expect(growthMB(lists, name)).toBeLessThan(most);
});

/**
 * Growth of the memory in use, without garbage, by a call in a process of its own. The function's
 * result is kept until the memory is measured.
 */
function growthMB(modulePath: string, name: string): number {
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

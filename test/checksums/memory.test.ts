/** The memory that a line without an end leaves in use. That of long lists is a run's, in `hostile-lists.test.ts`. */
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";

test("of a line without an end, 100 MB long, less than 10 MB are kept", () => {
  const contents = `import { ChecksumList } from "./src/checksums/checksum-list.ts";
    const usedMB = () => {
      gc();
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / 1e6;
    };
    const before = usedMB();
    const list = new ChecksumList("SUMS", "SUMS");
    const piece = Buffer.alloc(65536, "x");
    for (let octets = 0; octets < 1e8; octets += piece.length) list.read(piece);
    console.log(usedMB() - before);
    process.exitCode = list.at("x").length;`;
  const stdin = { contents, resolveDir: process.cwd() };
  const built = buildSync({ stdin, bundle: true, platform: "node", format: "cjs", write: false });
  const args = ["--expose-gc", "-"];
  const grown = execFileSync(process.execPath, args, { input: built.outputFiles[0]!.text });
  expect(Number(grown)).toBeLessThan(10);
});

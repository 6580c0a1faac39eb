/** The memory that is in use after long lists; the bound of a run with 400,000 lines is 200 MB. */
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";

const longList = `const line = (index) => String(index).padStart(64, "0") + "  pool/main/package_" + index + ".deb\\n";
  for (let at = 0; at < 400_000; at += 100)
    list.read(Buffer.from(Array.from({ length: 100 }, (_, index) => line(at + index)).join("")));
  list.end();`;

const lineWithoutEnd = `const piece = Buffer.alloc(65536, "x");
  for (let octets = 0; octets < 1e8; octets += piece.length) list.read(piece);`;

/** In a process of its own; the list is kept until its memory is measured, without garbage. */
test.each([
  ["a list of 400,000 lines with sha256", 130, longList],
  ["a line without end", 10, lineWithoutEnd],
])("%s takes less than %i MB", (_claim, most, reading) => {
  const contents = `import { ChecksumList } from "./src/checksums/checksum-list.ts";
    const usedMB = () => {
      gc();
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / 1e6;
    };
    const before = usedMB();
    const list = new ChecksumList("SUMS", "SUMS");
    (() => { ${reading} })();
    console.log(usedMB() - before);
    process.exitCode = list.at("x").length;`;
  const stdin = { contents, resolveDir: process.cwd() };
  const built = buildSync({ stdin, bundle: true, platform: "node", format: "cjs", write: false });
  const args = ["--expose-gc", "-"];
  const grown = execFileSync(process.execPath, args, { input: built.outputFiles[0]!.text });
  expect(Number(grown)).toBeLessThan(most);
});

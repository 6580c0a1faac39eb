/** Bundles the program ("program"), makes a "release" of it, or bundles and runs one of the `tools`. */
import { build } from "esbuild";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { buildProgram, common } from "./program.mjs";
import { makeRelease } from "./release.mjs";

const tools = {
  docs: "src/build/manual-text.ts",
  demo: "test/demo.ts",
  bench: "test/bench/bench.ts",
};

const [name, ...words] = process.argv.slice(2);

if (name === "program") await buildProgram(".");
else if (name === "release") await makeRelease();
else await runTool(name);

async function runTool(tool) {
  const entry = tools[tool];
  if (entry === undefined) throw new Error(`there is no bundle "${tool}"`);
  const outfile = `dist/${tool}.mjs`;
  await build({ ...common, entryPoints: [entry], outfile, format: "esm" });
  process.argv.splice(1, Infinity, resolve(outfile), ...words);
  await import(pathToFileURL(resolve(outfile)).href);
}

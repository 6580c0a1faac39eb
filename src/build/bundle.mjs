/**
 * Bundles the program, or one of the project's tools, which it then runs:
 *
 *     node src/build/bundle.mjs program
 *     node src/build/bundle.mjs bench [argument ...]
 */
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const common = { bundle: true, platform: "node", target: "node20", logLevel: "warning" };

/**
 * The bundle is one CommonJS file: it starts faster than ES modules. Modules that the libraries load and the
 * program doesn't use are replaced by a stub, since loading them takes milliseconds: basic-ftp's
 * TLS, the child processes of commander's subcommands, and cli-progress's table of emoji.
 */
const program = {
  entryPoints: ["src/cli.ts"],
  outfile: "dist/ftpull.cjs",
  format: "cjs",
  minify: true,
  write: false,
  alias: Object.fromEntries(
    ["tls", "node:child_process", "string-width"].map((name) => [name, "./src/build/unused.ts"]),
  ),
};

/** Tools are run as soon as they are bundled. */
const tools = {
  docs: "src/build/manual-text.ts",
  demo: "test/demo.ts",
  bench: "test/bench/bench.ts",
};

const [name, ...words] = process.argv.slice(2);

if (name === "program") await buildProgram();
else await runTool(name);

/**
 * Writes what bin/ftpull.js runs: a function of what the program gets of Node. The first line tells
 * which program V8's code was compiled of.
 */
async function buildProgram() {
  const { outputFiles } = await build({ ...common, ...program });
  const [{ path, text }] = outputFiles;
  const hash = createHash("sha256").update(text).digest("hex");
  mkdirSync("dist", { recursive: true });
  writeFileSync(path, `//${hash}\n(function (require, module) {${text}\n})`);
  writeFileSync("dist/manual.gz", gzipSync(readFileSync("man/ftpull.txt")));
  // With two words the program makes the help itself, without reading dist/help.txt.
  writeFileSync("dist/help.txt", execFileSync(process.execPath, ["bin/ftpull.js", "-h", "-h"]));
}

async function runTool(tool) {
  const entry = tools[tool];
  if (entry === undefined) throw new Error(`there is no bundle "${tool}"`);
  const outfile = `dist/${tool}.mjs`;
  await build({ ...common, entryPoints: [entry], outfile, format: "esm" });
  process.argv.splice(1, Infinity, resolve(outfile), ...words);
  await import(pathToFileURL(resolve(outfile)).href);
}

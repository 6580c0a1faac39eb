/** Builds the folder `dist`: the bundle that bin/ftpull.js runs, and the files that are packed with it. */
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export const common = { bundle: true, platform: "node", target: "node20", logLevel: "warning" };

/** A single CommonJS file starts faster than ES modules. */
const program = {
  entryPoints: ["src/cli.ts"],
  format: "cjs",
  minify: true,
  write: false,
  metafile: true,
};

/**
 * Writes `dist` into the folder of a package, which has `bin` already. The bundle is a function with
 * Node's `require` and `module` as parameters; its first line is a hash, by which the code cache
 * recognizes it.
 */
export async function buildProgram(folder) {
  const { outputFiles, metafile } = await build({ ...common, ...program });
  const [{ text }] = outputFiles;
  const hash = createHash("sha256").update(text).digest("hex");
  const dist = join(folder, "dist");
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, "ftpull.cjs"), `//${hash}\n(function (require, module) {${text}\n})`);
  writeFileSync(join(dist, "manual.gz"), gzipSync(readFileSync("man/ftpull.txt")));
  writeFileSync(join(dist, "licenses.txt"), licensesOf(Object.keys(metafile.inputs)));
}

function licensesOf(paths) {
  const folders = paths.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const texts = [...new Set(folders)].filter(Boolean).map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    if (license === undefined) throw new Error(`${name} has no licence`);
    return `${name} ${version}\n\n${readFileSync(join(folder, license), "utf8").trim()}\n`;
  });
  return texts.toSorted().join("\n\n");
}

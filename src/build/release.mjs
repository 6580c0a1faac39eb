/** Makes dist/release, reproducibly: a package without dependencies, completions, and SHA256SUMS. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProgram } from "./program.mjs";

const release = "dist/release";

const completions = { bash: "ftpull.bash", zsh: "_ftpull", fish: "ftpull.fish" };

export async function makeRelease() {
  rmSync(release, { recursive: true, force: true });
  mkdirSync(release, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "ftpull-release-"));
  try {
    const { name, version } = copyPackage(folder);
    await buildProgram(folder);
    pack(folder);
    for (const [shell, file] of Object.entries(completions))
      writeFileSync(join(release, file), completionFor(shell, folder));
    writeSums([`${name}-${version}.tgz`, ...Object.values(completions)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Copies files that aren't built. The bundle contains all packages: package.json names none. */
function copyPackage(folder) {
  for (const name of ["bin", "man/ftpull.1", "LICENSE", "README.md"])
    cpSync(name, join(folder, name), { recursive: true });
  const description = JSON.parse(readFileSync("package.json", "utf8"));
  for (const key of ["scripts", "dependencies", "devDependencies"]) delete description[key];
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(description, undefined, 2)}\n`);
  return description;
}

function pack(folder) {
  // npm packs all files with one time, but with permissions that depend on the umask.
  execFileSync("chmod", ["-R", "u=rwX,go=rX", folder]);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", release, folder]);
}

function completionFor(shell, folder) {
  return execFileSync(process.execPath, [join(folder, "bin/ftpull.js"), "--completion", shell]);
}

function writeSums(names) {
  const sums = names.map((name) => {
    const octets = readFileSync(join(release, name));
    return `${createHash("sha256").update(octets).digest("hex")}  ${name}\n`;
  });
  writeFileSync(join(release, "SHA256SUMS"), sums.join(""));
  process.stdout.write(`${release}/SHA256SUMS:\n${sums.join("")}`);
}

/** Reads the files that a run left on the disk. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Every path below `directory`, with its content; directories end in "/", links have " -> target". */
export function localTree(directory: string): Record<string, string> {
  return Object.fromEntries(pathsBelow(directory).map((path) => pathAndContent(directory, path)));
}

/** Node's own `recursive` goes through links. */
function pathsBelow(directory: string, above = ""): string[] {
  return readdirSync(join(directory, above), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(above, entry.name);
      return entry.isDirectory() ? [path, ...pathsBelow(directory, path)] : [path];
    })
    .sort();
}

function pathAndContent(directory: string, path: string): [string, string] {
  const whole = join(directory, path);
  const entry = lstatSync(whole);
  if (entry.isDirectory()) return [`${path}/`, ""];
  return [
    path,
    entry.isSymbolicLink() ? ` -> ${readlinkSync(whole)}` : readFileSync(whole, "latin1"),
  ];
}

export function localFiles(directory: string): Record<string, string> {
  const all = Object.entries(localTree(directory));
  return Object.fromEntries(all.filter(([path]) => !path.endsWith("/")));
}

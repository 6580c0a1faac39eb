/** The folder in which a command of the table runs: what is in it before, and what is in it afterwards. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { localFiles } from "../support/local-tree.ts";
import { filledIn, named, stateOf } from "./archive.ts";
import type { HabitualCommand } from "./commands.ts";

/** Puts the command's files and lists into its folder. */
export function fill(folder: string, { before, lists }: HabitualCommand, port: number) {
  for (const [path, state] of Object.entries(before)) {
    const { content, date } = stateOf(state);
    const whole = join(folder, filledIn(path, port));
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
    utimesSync(whole, date, date);
  }
  for (const [name, urls] of Object.entries(lists))
    writeFileSync(join(folder, name), `${filledIn(urls, port).replace(" + ", "\n")}\n`);
}

/** The states of the files in it by their paths, without the lists; HOST stands for the server. */
export function filesIn(folder: string, { lists }: HabitualCommand, port: number) {
  const files = Object.entries(localFiles(folder)).filter(([path]) => !(path in lists));
  return Object.fromEntries(
    files.map(([path, content]) => [
      path.replace(filledIn("HOST", port), "HOST"),
      content.startsWith(" -> ") ? `a link to ${content.slice(4)}` : named(content),
    ]),
  );
}

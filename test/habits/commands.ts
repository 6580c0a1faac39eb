/** Reads commands.txt, which describes its own format. */
import { readFileSync } from "node:fs";
import { archive } from "./archive.ts";

/** Files and what they hold, by path. */
type Files = Readonly<Record<string, string>>;

/** Standard output, and the files with their states as archive.ts names them. */
export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly files: Files;
}

export interface HabitualCommand {
  /** Words of a script; HOST, PIN and PASSWORD stand for the server's. */
  readonly typed: string;
  readonly before: Files;
  /** Files of URLs, which " + " joins. */
  readonly lists: Files;
  readonly tls: string | undefined;
  readonly here: Outcome;
  /** A text of the usage error that the words are. */
  readonly refused: string | undefined;
}

export const commands = readFileSync(new URL("commands.txt", import.meta.url), "utf8")
  .split(/^\$ /m)
  .slice(1)
  .map(commandOf);

function commandOf(block: string): HabitualCommand {
  const [typed = "", ...lines] = block.split("\n  ").map((line) => line.trim());
  const fields = new Map(lines.map((line) => line.split(/: (.*)/) as [string, string]));
  return {
    typed,
    before: filesIn(fields.get("before")),
    lists: filesIn(fields.get("list")),
    tls: fields.get("server"),
    here: {
      status: Number(fields.get("status") ?? 0),
      stdout: fields.get("prints") ?? "nothing",
      files: filesIn(fields.get("leaves")),
    },
    refused: fields.get("refused"),
  };
}

/** Reads "a = pub/a, x/* = pub/* without old/": a file, and all files below a directory of the server but some. */
function filesIn(text: string | undefined): Files {
  const parts = text
    ?.split(", ")
    .map((part) => /^(.*?)(\*?) = (.*?)\2(?: without (.*))?$/.exec(part)!);
  return Object.assign(
    {},
    ...(parts ?? []).map(([, path = "", all, state = "", without]) =>
      all === "" ? { [path]: state } : below(path, state, without?.split(" ") ?? []),
    ),
  ) as Files;
}

function below(prefix: string, directory: string, without: readonly string[]): Files {
  const inside = Object.keys(archive).filter((pathname) => pathname.startsWith(directory));
  const names = inside.map((pathname) => pathname.slice(directory.length));
  const left = names.filter((name) => !without.some((beginning) => name.startsWith(beginning)));
  return Object.fromEntries(left.map((name) => [prefix + name, directory + name]));
}

/** --completion: scripts for bash, zsh and fish, made from the option table. */
import type { OptionRow } from "./option-row.ts";
import { shownOptions as rows } from "./table.ts";

const scripts = {
  bash: () => `complete -o default -W "${rows.map(({ name }) => name).join(" ")}" ftpull`,
  // The file may stand in fpath, where it is the function itself, or be read by eval.
  zsh: () =>
    [
      "#compdef ftpull",
      "_ftpull() {",
      "  local -a names=(",
      ...rows.flatMap(({ names, summary }) => names.map((name) => quoted(`${name}:${summary}`))),
      "  )",
      "  if [[ $PREFIX = -* ]]; then _describe -o option names; else _files; fi",
      "}",
      'if [[ $funcstack[1] = _ftpull ]]; then _ftpull "$@"; else compdef _ftpull ftpull; fi',
    ].join("\n"),
  fish: () => rows.map(fishLine).join("\n"),
};

export function completionScript(shell: keyof typeof scripts): string {
  return `${scripts[shell]()}\n`;
}

function fishLine({ names, argument, choices = [], summary }: OptionRow): string {
  const spelled = names.map((name) =>
    name.startsWith("--")
      ? `-l ${name.slice(2)}`
      : `-${name.length > 2 ? "o" : "s"} ${name.slice(1)}`,
  );
  const values = argument === undefined ? "" : ` -r -a '${choices.join(" ")}'`;
  return `complete -c ftpull ${spelled.join(" ")}${values} -d ${quoted(summary)}`;
}

/** A word in quotes, for all three shells. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

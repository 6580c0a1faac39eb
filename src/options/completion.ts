/** --completion: scripts for bash, zsh and fish, made from the option table. */
import type { OptionRow } from "./option-row.ts";
import { shownOptions as rows } from "./table.ts";

const shortest = 3;

const scripts = {
  bash: () => {
    const names = rows.map(({ name }) => name).filter((name) => name.length >= shortest);
    return `complete -o default -W "${names.join(" ")}" ftpull`;
  },
  // The file may stand in fpath, where it is the function itself, or be read by eval.
  zsh: () =>
    [
      "#compdef ftpull",
      "_ftpull() {",
      "  _arguments -S \\",
      ...rows.map((row) => `    ${zshSpec(row)} \\`),
      "    '*:URL:_urls'",
      "}",
      'if [[ $funcstack[1] = _ftpull ]]; then _ftpull "$@"; else compdef _ftpull ftpull; fi',
    ].join("\n"),
  fish: () => rows.map(fishLine).join("\n"),
};

export function completionScript(shell: keyof typeof scripts): string {
  return `${scripts[shell]()}\n`;
}

/** What zsh proposes, by the name of the argument. */
const zshValues: Readonly<Record<string, string>> = { file: "_files", dir: "_files -/" };

/** A specification of _arguments(zsh): `*{-i,--input-file=}'[summary]:file:_files'`. */
function zshSpec({ names, argument, choices, summary, repeatable }: OptionRow): string {
  const [first = "", second] = names.map((name) =>
    argument === undefined ? name : name.startsWith("--") ? `${name}=` : `${name}+`,
  );
  const spelled = second === undefined ? first : `{${first},${second}}`;
  const star = repeatable || second !== undefined ? "'*'" : "";
  const text = `[${summary.replace(/[[\]]/g, "\\$&")}]`;
  const values = choices === undefined ? zshValues[argument ?? ""] : `(${choices.join(" ")})`;
  const action = argument === undefined ? "" : `:${argument.replace(":", " ")}:${values ?? " "}`;
  return `${star}${spelled}'${`${text}${action}`.replaceAll("'", "'\\''")}'`;
}

function fishLine({ names, argument, choices = [], summary }: OptionRow): string {
  const spelled = names.map((name) =>
    name.startsWith("--")
      ? `-l ${name.slice(2)}`
      : `-${name.length > 2 ? "o" : "s"} ${name.slice(1)}`,
  );
  const values = argument === undefined ? "" : ` -r -a '${choices.join(" ")}'`;
  return `complete -c ftpull ${spelled.join(" ")}${values} -d '${summary.replace(/[\\']/g, "\\$&")}'`;
}

/** --completion: scripts for bash, zsh and fish, generated from the option table. */
import { namesOf, type OptionRecord, options } from "./table.ts";

const records = Object.values<OptionRecord>(options);

export type Shell = keyof typeof scripts;

export function completionScript(shell: Shell): string {
  return `${scripts[shell]().join("\n")}\n`;
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** bash: the arguments of the option before, else all options. */
function bashScript(): string[] {
  const withArgument = records.filter(({ argument }) => argument !== undefined);
  const longs = records.map(({ long }) => long).join(" ");
  return [
    "# bash completion of ftpull",
    "_ftpull() {",
    "  local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}",
    "  COMPREPLY=()",
    "  # bash makes a word of its own of the = in --option=argument.",
    '  if [[ $current == = ]]; then current=""',
    "  elif [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}; fi",
    "  case $option in",
    ...withArgument.map((one) => `    ${bashNames(one)}) ${bashArgument(one)}; return ;;`),
    "  esac",
    "  [[ $current == -* ]] || return",
    `  COMPREPLY=($(compgen -W "${longs}" -- "$current"))`,
    "}",
    "complete -F _ftpull ftpull",
  ];
}

function bashNames(record: OptionRecord): string {
  return namesOf(record).join(" | ");
}

function bashArgument({ argument, choices }: OptionRecord): string {
  if (choices) return `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current"))`;
  const actions: Readonly<Record<string, string>> = { file: "default", dir: "dirnames" };
  return argument && actions[argument] ? `compopt -o ${actions[argument]}` : ":";
}

/** zsh: _arguments takes one specification for each option. */
function zshScript(): string[] {
  return [
    "#compdef ftpull",
    "_ftpull() {",
    "  _arguments -S \\",
    ...records.map((record) => `    ${zshOption(record)} \\`),
    // A message in place of () would keep an option that is the only match from being inserted.
    "    '*:URL:()'",
    "}",
    "# Read by source, it is not called but made known.",
    'if [[ $funcstack[1] == _ftpull ]]; then _ftpull "$@"; else compdef _ftpull ftpull; fi',
  ];
}

function zshOption(record: OptionRecord): string {
  const { argument, summary, repeatable } = record;
  const group = repeatable ? "" : `'(${namesOf(record).join(" ")})'`;
  const names = namesOf(record).map((name) => name + zshAttached(name, argument));
  const star = repeatable ? "'*'" : "";
  const list = names.length > 1 ? `{${names.join(",")}}` : names.join("");
  const text = summary.replace(/[[\]:\\]/g, "\\$&").replaceAll("'", "'\\''");
  return `${group}${star}${list}'[${text}]${zshArgument(record)}'`;
}

/** The mark for the way in which an argument follows: `-T5` or `-T 5`, `--timeout=5` or `--timeout 5`. */
function zshAttached(name: string, argument: string | undefined): string {
  if (argument === undefined) return "";
  return name.startsWith("--") ? "=" : "+";
}

function zshArgument({ argument, choices }: OptionRecord): string {
  if (argument === undefined) return "";
  if (choices !== undefined) return `:${argument}:(${choices.join(" ")})`;
  const actions: Readonly<Record<string, string>> = { file: "_files", dir: "_files -/" };
  return `:${argument}:${actions[argument] ?? " "}`;
}

/** fish: one command for each option. */
function fishScript(): string[] {
  return ["# fish completion of ftpull", "complete -c ftpull -f", ...records.map(fishOption)];
}

function fishOption(record: OptionRecord): string {
  const { argument, choices, summary } = record;
  const parts = [
    "complete -c ftpull",
    ...namesOf(record).map(fishName),
    ...(argument === undefined ? [] : [argument === "file" ? "-rF" : "-x"]),
    ...(argument === "dir" ? ["-a '(__fish_complete_directories)'"] : []),
    ...(choices === undefined ? [] : [`-a '${choices.join(" ")}'`]),
    `-d '${summary.replace(/[\\']/g, "\\$&")}'`,
  ];
  return parts.join(" ");
}

function fishName(name: string): string {
  if (name.startsWith("--")) return `-l ${name.slice(2)}`;
  return name.length > 2 ? `-o ${name.slice(1)}` : `-s ${name.slice(1)}`;
}

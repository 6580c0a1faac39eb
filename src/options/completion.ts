/** --completion: scripts for bash, zsh and fish, generated from the option table. */
import { contradicts, namesOf, type OptionRecord, options } from "./table.ts";

const records = Object.values<OptionRecord>(options);

export type Shell = keyof typeof scripts;

export function completionScript(shell: Shell): string {
  return `${scripts[shell]().join("\n")}\n`;
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** What is not proposed beside this option: itself, unless it can be repeated, and what contradicts it. */
function withExcluded(record: OptionRecord): OptionRecord[] {
  const others = records.filter((other) => contradicts(record, other));
  return record.repeatable ? others : [record, ...others];
}

/** bash: what follows an option, else the options that go with those of the line. */
function bashScript(): string[] {
  const withArgument = records.filter(({ argument }) => argument !== undefined);
  return [
    "# bash completion of ftpull",
    "_ftpull() {",
    '  local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} word used=" "',
    "  COMPREPLY=()",
    "  # bash makes a word of its own of the = in --option=argument.",
    '  if [[ $current == = ]]; then current=""',
    "  elif [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}; fi",
    "  case $option in",
    ...withArgument.map((one) => `    ${bashNames(one)}) ${bashArgument(one)}; return ;;`),
    "  esac",
    "  [[ $current == -* ]] || return",
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    "    case $word in",
    ...records.map((one) => `      ${bashNames(one)}) used+="${longsOf(withExcluded(one))} " ;;`),
    "    esac",
    "  done",
    `  for word in ${longsOf(records)}; do`,
    '    [[ $used != *" $word "* && $word == "$current"* ]] && COMPREPLY+=("$word")',
    "  done",
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

function longsOf(some: readonly OptionRecord[]): string {
  return some.map(({ long }) => long).join(" ");
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
  const excluded = withExcluded(record).flatMap(namesOf);
  const group = excluded.length > 0 ? `'(${excluded.join(" ")})'` : "";
  const names = namesOf(record).map((name) => name + zshAttached(name, argument));
  const star = repeatable ? "'*'" : "";
  const list = names.length > 1 ? `{${names.join(",")}}` : names.join("");
  const text = summary.replace(/[[\]:\\]/g, "\\$&").replaceAll("'", "'\\''");
  return `${group}${star}${list}'[${text}]${zshArgument(record)}'`;
}

/** How an argument follows: `-T5` or `-T 5`, `--timeout=5` or `--timeout 5`. */
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
  // The condition is also tested for the argument: then the option itself is there.
  const excluded = withExcluded(record).filter((one) => one !== record || !argument);
  const condition = `not __fish_contains_opt ${excluded.flatMap(fishTested).join(" ")}`;
  const parts = [
    "complete -c ftpull",
    ...(excluded.length > 0 ? [`-n '${condition}'`] : []),
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

function fishTested({ short, long }: OptionRecord): string[] {
  const name = long.slice(2);
  return short?.length === 2 ? ["-s", short.slice(1), name] : [name];
}

/** --completion: scripts for bash, zsh and fish, generated from the option table. */
import { namesOf, type OptionRecord, options } from "./table.ts";

const records = Object.values<OptionRecord>(options);

export type Shell = keyof typeof scripts;

export function completionScript(shell: Shell): string {
  return `${scripts[shell]().join("\n")}\n`;
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

const bashActions: Readonly<Record<string, string>> = { file: "default", dir: "dirnames" };
const zshActions: Readonly<Record<string, string>> = { file: "_files", dir: "_files -/" };
const fishActions: Readonly<Record<string, string>> = {
  file: "-rF",
  dir: "-x -a '(__fish_complete_directories)'",
};

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
    ...withArgument.map(bashCase),
    "  esac",
    "  [[ $current == -* ]] || return",
    `  COMPREPLY=($(compgen -W "${longs}" -- "$current"))`,
    "}",
    "complete -F _ftpull ftpull",
  ];
}

function bashCase(record: OptionRecord): string {
  return `    ${namesOf(record).join(" | ")}) ${bashArgument(record)}; return ;;`;
}

function bashArgument({ argument = "", choices }: OptionRecord): string {
  if (choices) return `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current"))`;
  return bashActions[argument] ? `compopt -o ${bashActions[argument]}` : ":";
}

function zshScript(): string[] {
  return [
    "#compdef ftpull",
    "_ftpull() {",
    "  _arguments -S \\",
    ...records.map((record) => `    ${zshOption(record)} \\`),
    // () completes no URL. A message would keep an option that is the only match from being inserted.
    "    '*:URL:()'",
    "}",
    "# zsh calls a file that it finds in fpath; a script that is read by source registers the function.",
    'if [[ $funcstack[1] == _ftpull ]]; then _ftpull "$@"; else compdef _ftpull ftpull; fi',
  ];
}

/**
 * An option for zsh's _arguments, as in `'*'{-T+,--timeout=}'[SUMMARY]:seconds: '`. The star permits it several
 * times; "+" and "=" tell how an argument may follow: `-T5`, `--timeout=5`.
 */
function zshOption(record: OptionRecord): string {
  const forms = namesOf(record).map((name) => {
    if (record.argument === undefined) return name;
    return name.startsWith("--") ? `${name}=` : `${name}+`;
  });
  const names = forms.length > 1 ? `{${forms.join(",")}}` : forms.join("");
  const summary = record.summary.replace(/[[\]:\\]/g, "\\$&").replaceAll("'", "'\\''");
  return `'*'${names}'[${summary}]${zshArgument(record)}'`;
}

function zshArgument({ argument, choices }: OptionRecord): string {
  if (argument === undefined) return "";
  const action = choices ? `(${choices.join(" ")})` : (zshActions[argument] ?? " ");
  return `:${argument}:${action}`;
}

function fishScript(): string[] {
  return ["# fish completion of ftpull", "complete -c ftpull -f", ...records.map(fishOption)];
}

function fishOption(record: OptionRecord): string {
  const { argument, choices, summary } = record;
  const parts = [
    "complete -c ftpull",
    ...namesOf(record).map(fishName),
    ...(argument === undefined ? [] : [fishActions[argument] ?? "-x"]),
    ...(choices === undefined ? [] : [`-a '${choices.join(" ")}'`]),
    `-d '${summary.replace(/[\\']/g, "\\$&")}'`,
  ];
  return parts.join(" ");
}

function fishName(name: string): string {
  if (name.startsWith("--")) return `-l ${name.slice(2)}`;
  return name.length > 2 ? `-o ${name.slice(1)}` : `-s ${name.slice(1)}`;
}

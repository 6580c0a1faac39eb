/** --completion: scripts for bash, zsh and fish, made from the option table. */
import { namesOf, type OptionRecord, options } from "./table.ts";

const records = Object.values<OptionRecord>(options);

const scripts = {
  bash: () => `complete -o default -W "${records.map(({ long }) => long).join(" ")}" ftpull`,
  // zsh's own function reads the options from --help. As a file in fpath, the script is called itself.
  zsh: () =>
    "#compdef ftpull\nif [[ $funcstack[1] = _ftpull ]]; then _gnu_generic; else compdef _gnu_generic ftpull; fi",
  fish: () => records.map(fishLine).join("\n"),
};

export function completionScript(shell: keyof typeof scripts): string {
  return `${scripts[shell]()}\n`;
}

function fishLine(record: OptionRecord): string {
  const { argument, choices = [], summary } = record;
  const names = namesOf(record).map((name) =>
    name.startsWith("--")
      ? `-l ${name.slice(2)}`
      : `-${name.length > 2 ? "o" : "s"} ${name.slice(1)}`,
  );
  const values = argument === undefined ? "" : ` -r -a '${choices.join(" ")}'`;
  return `complete -c ftpull ${names.join(" ")}${values} -d '${summary.replace(/[\\']/g, "\\$&")}'`;
}

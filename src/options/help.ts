/** The texts of -h and --help, made from the option table. */
import { programWith } from "./program.ts";
import { optionGroups, shownOptions } from "./table.ts";

/** Columns for an option's names and argument. */
const termWidth = 30;

const helpExamples = [
  "ftpull ftp://ftp.example.com/pub/README",
  "ftpull -r -A '*.deb' ftp://ftp.example.com/pub/",
  "ftpull -O - ftp://ftp.example.com/pub/tool.tar.gz | tar -xzf -",
];

const environment = `Environment:
  FTPULL_PASSWORD  the password of a named user, if the URL has none
  ftp_proxy        the proxy, as for --proxy; empty for none
  all_proxy        the proxy, if ftp_proxy is not set
  no_proxy         the servers that need no proxy; * for all
  FTPULL_NO_CACHE  1 neither writes nor reads the cache of compiled code`;

export function helpText(extent: "frequent" | "all"): string {
  const isWhole = extent === "all";
  const frequent = shownOptions.filter((row) => row.isFrequent);
  const program = programWith(isWhole ? optionGroups : [["Options", frequent]]);
  if (!isWhole) program.description("");
  const help = program.configureHelp({
    optionTerm: ({ long, short }) => termOf((long ?? short)!),
    formatItem: (term, _width, text) => `${term.padEnd(termWidth)}  ${text}`,
  });
  const examples = ["Examples:", ...helpExamples].join("\n  ");
  const more = isWhole ? [environment, examples] : [examples];
  return `${[help.helpInformation().trimEnd(), ...more].join("\n\n")}\n`;
}

/** Aligns names at their comma: short ones have one letter or two. */
function termOf(name: string): string {
  const { names, argument } = shownOptions.find((row) => row.name === name)!;
  const indent = names[0]!.startsWith("--") ? 5 : 4 - names[0]!.length;
  return " ".repeat(indent) + names.join(", ") + (argument === undefined ? "" : ` <${argument}>`);
}

/** The texts of -h and --help, made from the option table. */
import { exitStatus } from "../errors.ts";
import { programWith } from "./program.ts";
import { optionGroups, shownOptions } from "./table.ts";

/** Columns for an option's names and argument. */
const termWidth = 30;

export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ["FTPULL_PASSWORD", "the password of a named user, if the URL has none"],
  ["ftp_proxy", "the proxy, as for --proxy; empty for none"],
  ["all_proxy", "the proxy, if ftp_proxy is not set"],
  ["no_proxy", "the servers that need no proxy; * for all"],
  ["FTPULL_NO_CACHE", "1 neither writes nor reads the cache of compiled code"],
];

export const exitStatuses: readonly (readonly [status: number, meaning: string])[] = [
  [0, "all arrived"],
  [exitStatus.other, "any other error"],
  [exitStatus.usage, "usage: command line, URL or input file not understood"],
  [exitStatus.file, "file: cannot write, disk full, no permission"],
  [exitStatus.network, "network: no such host, refused, reset, timed out"],
  [exitStatus.tls, "TLS: certificate not trusted, server without TLS"],
  [exitStatus.login, "login: wrong or missing password or account"],
  [exitStatus.protocol, "protocol: the server does not speak FTP as it should"],
  [exitStatus.refused, "refused by the server"],
  [exitStatus.integrity, "integrity: wrong size or checksum"],
  [129, "ended by SIGHUP"],
  [130, "ended by SIGINT (Ctrl-C)"],
  [143, "ended by SIGTERM"],
];

export const helpExamples: readonly string[] = [
  "ftpull ftp://ftp.example.com/pub/README",
  "ftpull -r -A '*.deb' ftp://ftp.example.com/pub/",
  "ftpull -O - ftp://ftp.example.com/pub/tool.tar.gz | tar -xzf -",
];

const examples = block(
  "Examples",
  helpExamples.map((example) => `  ${example}`),
);

export function helpText(extent: "frequent" | "all"): string {
  const isWhole = extent === "all";
  const frequent = shownOptions.filter((row) => row.isFrequent);
  const program = programWith(isWhole ? optionGroups : [["Options", frequent]]);
  if (!isWhole) program.description("");
  const help = program.configureHelp({
    visibleArguments: () => [],
    optionTerm: ({ long, short }) => termOf((long ?? short)!),
    formatItem: (term, _width, text) => `${term.padEnd(termWidth)}  ${text}`,
  });
  const parts = [help.helpInformation().trimEnd(), ...(isWhole ? more() : []), examples];
  return `${parts.join("\n\n")}\n`;
}

/** Aligns names at their comma: short ones have one letter or two. */
function termOf(name: string): string {
  const { names, argument } = shownOptions.find((row) => row.name === name)!;
  const indent = names[0]!.startsWith("--") ? 5 : 4 - names[0]!.length;
  return " ".repeat(indent) + names.join(", ") + (argument === undefined ? "" : ` <${argument}>`);
}

function more(): string[] {
  return [block("Environment", columns(environment)), block("Exit status", columns(exitStatuses))];
}

function block(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...lines].join("\n");
}

function columns(rows: readonly (readonly [term: string | number, meaning: string])[]): string[] {
  const width = Math.max(...rows.map(([term]) => `${term}`.length));
  return rows.map(([term, meaning]) => `  ${`${term}`.padEnd(width)}  ${meaning}`);
}

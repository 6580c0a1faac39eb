/**
 * Output of --explain: a URL without its password, the commands of a session in which all goes well, each with
 * the effect of its replies, and the target.
 */
import { checksumFile } from "../checksums/checksum-file.ts";
import { foresee, goalOf } from "../ftp/dialogue.ts";
import { initialState } from "../ftp/state.ts";
import { decoderFor } from "../text/encoding.ts";
import { escapeControls } from "../text/escape.ts";
import { formatFtpUrl } from "../url/format.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";

type Line = readonly [left: string, right: string];

/**
 * `shownUrl` has the URL's patterns; `site` is octets; `remoteEncoding` is a WHATWG label, default UTF-8; with
 * `wantsFile` no directory is listed.
 */
export interface ExplainOptions {
  readonly shownUrl?: string;
  readonly wantsFile?: boolean;
  readonly sendHost?: boolean;
  readonly proxy?: string | undefined;
  readonly active?: boolean;
  readonly site?: readonly string[];
  readonly target?: string | undefined;
  readonly remoteEncoding?: string | undefined;
  readonly verify?: boolean;
}

export function explain(url: FtpUrl, plan: Plan, options: ExplainOptions = {}): string {
  const ends = [...optional("proxy", options.proxy), ...optional("target", options.target)];
  return [
    `${options.shownUrl ?? formatFtpUrl(url)}\n`,
    formatLines(dialogue(url, plan, options), 26),
    formatLines(ends, 12),
  ].join("\n");
}

function dialogue(url: FtpUrl, plan: Plan, options: ExplainOptions): Line[] {
  const isImplicit = url.scheme === "ftps";
  const isExplicit = url.scheme === "ftpes";
  const state = initialState({
    host: options.sendHost === false ? undefined : url.host,
    secured: isImplicit || isExplicit,
    user: url.user ?? "anonymous",
    password: "***",
    site: options.site ?? [],
  });
  const commands = foresee(state, [goalOf(plan)]);
  const isVerified =
    options.verify && plan.action !== "list" && checksumFile(plan.name) === undefined;
  const lines: Line[] = [
    [isImplicit ? "connect, TLS" : "connect", "220: go on; 120: wait; otherwise: fail"],
    ...optional("AUTH TLS", isExplicit ? "refused: fail" : undefined),
    ...commands.map(({ line, note = "" }, index): Line => {
      const isRepeated = note === commands[index - 1]?.note;
      return [line, isRepeated ? "" : note];
    }),
    ...(isVerified ? [listingOfSums] : []),
    options.active ? ["EPRT", "refused: PORT"] : ["EPSV", "refused or out of reach: PASV"],
    plan.action === "list" ? listing : retrieval(plan, options),
    ["QUIT", ""],
  ];
  return lines.map(([command, note]) => [formatOctets(command, options), note]);
}

const listingOfSums: Line = ["MLSD", "or LIST; files of checksums beside it are read"];

const listing: Line = ["MLSD", "when FEAT shows MLST; else LIST, else NLST"];

function retrieval({ name, action }: Plan, { wantsFile }: ExplainOptions): Line {
  const isListed = action !== "retrieve" && !wantsFile;
  return [`RETR ${name}`, `refused: ${isListed ? "enter it by CWD, and list it" : "fail"}`];
}

function optional(left: string, right: string | undefined): Line[] {
  return right === undefined ? [] : [[left, right]];
}

function formatOctets(octets: string, { remoteEncoding }: ExplainOptions): string {
  return escapeControls(decoderFor(remoteEncoding)(octets));
}

function formatLines(lines: readonly Line[], column: number): string {
  const rows = lines.map(([left, right]) => {
    const label = `  ${left}`.padEnd(column - 2);
    return `${label}  ${escapeControls(right)}`.trimEnd();
  });
  return rows.map((row) => `${row}\n`).join("");
}

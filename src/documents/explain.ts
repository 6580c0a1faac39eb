/**
 * Output of --explain: where a URL leads, without its password, and its commands in order, with the effect of each
 * reply; in lines of up to 80 columns, long names excepted.
 */
import { candidates, checksumFile } from "../checksums/candidates.ts";
import { foresee, goalOf } from "../ftp/dialogue.ts";
import { initialState } from "../ftp/state.ts";
import { decoderFor } from "../text/encoding.ts";
import { encodeInvisible } from "../text/escape.ts";
import type { Conversion } from "../text/line-ends.ts";
import { formatFtpUrl, formatHost } from "../url/format.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";

type Line = readonly [left: string, right: string];

/** `user` and `site` are octets; `remoteEncoding` is a WHATWG label, default UTF-8. */
export interface ExplainOptions {
  readonly noHost?: boolean;
  readonly tls?: boolean;
  readonly proxy?: string | undefined;
  readonly active?: boolean;
  readonly user?: string | undefined;
  readonly site?: readonly string[];
  readonly target?: string | undefined;
  readonly remoteEncoding?: string | undefined;
  readonly verify?: boolean;
}

export function explain(url: FtpUrl, plan: Plan, options: ExplainOptions = {}): string {
  return [
    `${formatFtpUrl(url)}\n`,
    formatLines(facts(url, options), 12),
    formatLines(dialogue(url, plan, options), 26),
    formatLines(outcome(url, plan, options), 12),
  ].join("\n");
}

function facts(url: FtpUrl, options: ExplainOptions): Line[] {
  return [
    ["server", `${formatHost(url.host)}, port ${url.port}`],
    ...optional("proxy", options.proxy),
    ["TLS", tlsTexts[tlsOf(url, options)]],
    ["login", loginText(url, options)],
  ];
}

function tlsOf({ scheme }: FtpUrl, { tls = false }: ExplainOptions): keyof typeof tlsTexts {
  if (scheme === "ftps") return "implicit";
  return scheme === "ftpes" || tls ? "explicit" : "none";
}

const tlsTexts = {
  none: "no",
  implicit: "implicit: from the first octet on",
  explicit: "explicit: asked for by AUTH TLS, for commands and data",
};

function loginText(url: FtpUrl, options: ExplainOptions): string {
  const user = formatOctets(userOf(url, options), options) || "a user with an empty name";
  if (url.password !== undefined) return `${user}, password from the URL`;
  return user === anonymous
    ? "anonymous, with an e-mail address that doesn't exist as password"
    : `${user}, password from an option, the environment or netrc, or asked for`;
}

const anonymous = "anonymous";

function userOf(url: FtpUrl, options: ExplainOptions): string {
  return url.user ?? options.user ?? anonymous;
}

/** The commands up to the data connection are those of a session in which all goes well. */
function dialogue(url: FtpUrl, plan: Plan, options: ExplainOptions): Line[] {
  const tls = tlsOf(url, options);
  const state = initialState({
    host: options.noHost ? undefined : url.host,
    secured: tls !== "none",
    user: userOf(url, options),
    password: "***",
    site: options.site ?? [],
  });
  const commands = foresee(state, [goalOf(plan)]);
  const lines: Line[] = [
    [tls === "implicit" ? "connect, TLS" : "connect", "220: go on; 120: wait; otherwise: fail"],
    ...optional("AUTH TLS", tls === "explicit" ? "refused: fail" : undefined),
    ...commands.map(({ line, note = "" }, index): Line => {
      const isSaid = note === commands[index - 1]?.note;
      return [line, isSaid ? "" : note];
    }),
    ...(options.verify ? candidatesOf(plan) : []),
    options.active ? ["EPRT", "refused: PORT"] : ["EPSV", "refused or out of reach: PASV"],
    plan.action === "list" ? listing : retrieval(plan),
    ["QUIT", ""],
  ];
  return lines.map(([command, note]) => [formatOctets(command, options), note]);
}

function candidatesOf({ action, name }: Plan): Line[] {
  if (action === "list" || checksumFile(name) !== undefined) return [];
  const [first = "", ...others] = candidates(name);
  const note = `and ${others.length} more names of checksums; what is found is fetched`;
  return [[`SIZE ${first}`, note]];
}

const listing: Line = ["MLSD", "when FEAT shows MLST; else LIST, else NLST"];

function retrieval({ name, action }: Plan): Line {
  const fallback = "550, 553: enter it by CWD and list it, as it may be a directory";
  return [`RETR ${name}`, action === "retrieve" ? "refused: fail" : fallback];
}

function outcome(url: FtpUrl, plan: Plan, { target }: ExplainOptions): Line[] {
  return [
    ["data", plan.action === "list" ? "a listing" : dataTexts[plan.conversion]],
    ...optional("target", target),
    ...url.warnings.map((warning): Line => ["warning", warning]),
  ];
}

const dataTexts: Readonly<Record<Conversion, string>> = {
  none: "every octet as the server sends it",
  ascii: "text: CRLF becomes the local line end",
  ebcdic: "text: EBCDIC becomes UTF-8 with local line ends",
  "net-unicode": "text: UTF-8, CRLF becomes the local line end",
};

function optional(left: string, right: string | undefined): Line[] {
  return right === undefined ? [] : [[left, right]];
}

function formatOctets(octets: string, { remoteEncoding }: ExplainOptions): string {
  return encodeInvisible(decoderFor(remoteEncoding)(octets));
}

/** Sets the right sides from `column` on; a long left side gets a line to itself. */
function formatLines(lines: readonly Line[], column: number): string {
  const rows = lines.flatMap(([left, right]) => {
    const texts = wrap(encodeInvisible(right), 80 - column);
    const label = `  ${left}`;
    if (label.length >= column && right !== "") texts.unshift("");
    return texts.map((text, index) => (index === 0 ? label : "").padEnd(column) + text);
  });
  return rows.map((row) => `${row.trimEnd()}\n`).join("");
}

function wrap(text: string, width: number): string[] {
  return text.match(new RegExp(`(?=[^ ]).{1,${width}}(?= |$)|[^ ]+`, "gs")) ?? [""];
}

/**
 * --explain: each URL without its password, the commands of a session in which all goes well, each with the effect
 * of its replies, and the target.
 */
import { join, sep } from "node:path";
import { checksumFile } from "../checksums/checksum-file.ts";
import type { Document } from "../documents/task.ts";
import { foresee, goalOf } from "../ftp/dialogue.ts";
import { initialState } from "../ftp/state.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { decoderFor } from "../text/encoding.ts";
import { escapeControls } from "../text/escape.ts";
import { formatFtpUrl } from "../url/format.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";
import { filePath, topFolder } from "./jobs/local-paths.ts";
import { hasPattern, mayGet, requested } from "./jobs/requested.ts";
import { Outcome } from "./outcome.ts";
import { print } from "./print.ts";
import { describeProxy, proxyChoice } from "./proxies.ts";

export async function explainAll(settings: Settings, messages: Messages): Promise<number> {
  const proxyFor = await proxyChoice(settings);
  const outcome = new Outcome(messages, settings);
  const { documents } = await requested(settings, messages, outcome);
  const texts = Array.from(documents, (document) => {
    const { url, plan, shownUrl } = document;
    const proxy = proxyFor(url);
    const target = targetOf(document, settings);
    const otherWay = mayGet(document, settings) ? "; by GET if it refuses CONNECT" : "";
    const way = proxy && describeProxy(proxy) + (proxy.protocol === "http" ? otherWay : "");
    return explain(url, plan, { ...settings, shownUrl, target, proxy: way });
  });
  if (texts.length > 0) await print(texts.join("\n"));
  return outcome.status;
}

function targetOf(document: Document, settings: Settings): string {
  const { url, plan } = document;
  const { outputDocument, recursive } = settings;
  if (outputDocument === "-") return "standard output";
  if (outputDocument !== undefined) return outputDocument;
  const isTree = hasPattern(document) || (recursive && plan.action !== "retrieve");
  if (isTree) return join(topFolder(document, settings).path, sep);
  return plan.action === "list" ? "standard output" : filePath(url, plan, settings);
}

type ExplainedSettings = "wantsFile" | "sendHost" | "active" | "site" | "remoteEncoding" | "verify";

/** `shownUrl` has the URL's patterns. */
export interface ExplainOptions extends Partial<Pick<Settings, ExplainedSettings>> {
  readonly shownUrl?: string;
  readonly proxy?: string | undefined;
  readonly target?: string;
}

type Line = readonly [left: string, right: string];

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

/** Replies, as octets: their classes, codes, and pure parsers of those with data. */
import { type ErrorDetails, FtpullError } from "../../errors.ts";
import { parseSize } from "../../listing/entry.ts";
import { decoderFor } from "../../text/encoding.ts";
import { conceal, shorten } from "../../text/secrets.ts";
import { parseTimeVal } from "../../text/time-val.ts";

export interface Reply {
  readonly code: number;
  readonly lines: readonly string[];
}

export const replyCode = {
  superfluous: 202,
  loggedIn: 230,
  loggedInAuthorized: 232,
  needPassword: 331,
  needAccount: 332,
  serviceNotAvailable: 421,
  cannotOpenData: 425,
  transferAborted: 426,
  wrongCredentials: 430,
  fileBusy: 450,
  notLoggedIn: 530,
  needAccountForStoring: 532,
  syntaxError: 501,
  parameterNotImplemented: 504,
  fileUnavailable: 550,
  nameNotAllowed: 553,
} as const;

export const isPreliminary = (reply: Reply): boolean => classOf(reply) === 1;
export const isCompletion = (reply: Reply): boolean => classOf(reply) === 2;
export const isIntermediate = (reply: Reply): boolean => classOf(reply) === 3;
export const isTransientNegative = (reply: Reply): boolean => classOf(reply) === 4;
/** 332 and 532: an account is wanted, for the login or for a transfer (S8). */
export const isAccountDemand = ({ code }: Reply): boolean =>
  code === replyCode.needAccount || code === replyCode.needAccountForStoring;
export const isNegative = (reply: Reply): boolean => classOf(reply) >= 4;

function classOf(reply: Reply): number {
  return Math.floor(reply.code / 100);
}

/** A line that a reply begins or ends with (RFC 959 §4.2): the code, and what follows it. With 6yz it is text. */
export const replyLine = /^([1-5]\d\d)([ -]|$)/;

/** Makes a reply of its text; the code of the last line counts. */
export function parseReply(text: string): Reply {
  const lines = text.split("\n");
  return { code: Number(lines.at(-1)?.slice(0, 3)), lines };
}

const decode = decoderFor();

export function quoteName(octets: string): string {
  return `"${decode(octets)}"`;
}

export function quoteReply({ code, lines }: Reply): string {
  // Blanks at its ends may belong to a secret.
  const said = lines.map((line) => conceal(line.replace(/^\d{3}[ -]?/, "")).trim());
  const words = said.filter((line) => line !== "").join(" ");
  return `server replied ${code}${words === "" ? "" : ` ${quoteText(words)}`}`;
}

export function quoteText(octets: string): string {
  return `"${shorten(decode(conceal(octets)), 300)}"`; // A secret's octets may not be UTF-8.
}

export class ReplyError extends FtpullError {
  readonly reply: Reply;

  constructor(what: string, reply: Reply, details?: ErrorDetails) {
    const kind = isNegative(reply) ? "refused" : "protocol";
    const transient = isTransientNegative(reply);
    super(kind, `${what}: ${quoteReply(reply)}`, { transient, ...details });
    this.reply = reply;
  }
}

export const noDataConnection = (reply: Reply) =>
  new ReplyError("cannot open a data connection", reply);

export function isMissing(error: unknown): error is ReplyError {
  return error instanceof ReplyError && !error.transient && saysMissing(error.reply);
}

/** True for 550 and 553: servers refuse RETR of a directory with either code (P8). */
export function saysMissing({ code }: Reply): boolean {
  return code === replyCode.fileUnavailable || code === replyCode.nameNotAllowed;
}

export function saysNothingThere(error: unknown): boolean {
  if (!(error instanceof ReplyError)) return false;
  const words = error.reply.lines.join(" ");
  return nothingThere.test(words) && !saysDenied(error);
}

export function saysDenied({ reply }: ReplyError): boolean {
  return /denied|access|permi/i.test(reply.lines.join(" "));
}

/** True for a refusal to list a directory that has no names. */
export function saysEmpty({ code, lines }: Reply): boolean {
  const isUnavailable = code === replyCode.fileBusy || code === replyCode.fileUnavailable;
  return isUnavailable && nothingFound.test(lines.join(" "));
}

/** True if a listing was cut short, or its directory not read. Quoted names and paths are ignored. */
export function saysCut({ lines }: Reply): boolean {
  return cut.test(lines.join(" ").replaceAll(/"[^"]*"|(?<!\S)\S*\/\S*/g, "..."));
}

/** Words for "nothing has this name". vsftpd's "Failed to ..." can mean more, but it has no others. */
const nothingThere =
  /\bno such\b|\bnot found\b|not exist|n't exist|n[o']t find|Failed to (?:open file|change directory)\.$/i;

const nothingFound = /\bno (?:files|entries|data ?sets|members) (?:were )?found\b|\bis empty\b/i;

/** The words of Pure-FTPd and vsftpd: no standard defines any. */
const cut = /(?<!\bnot )\btruncated\b|\bfailed to open directory\b|\bunable to read\b/i;

/** A negative reply, of either class, to a transfer: after data has arrived it can be resumed. */
export function transferError(what: string, reply: Reply, hasOctets: boolean): ReplyError {
  if (!hasOctets) return new ReplyError(what, reply, { reason: "transfer refused" });
  return new ReplyError(what, reply, { reason: "transfer broken off", transient: true });
}

export function parse213Size(reply: Reply): number | undefined {
  const form = /^213[ -]\s*(\d{1,16})(?:\s+(?:bytes|octets))?\s*$/i;
  return parseSize(form.exec(reply.lines[0] ?? "")?.[1]);
}

/** Parses `150 Opening ... (300000 bytes).`; undefined if `command`, with the file's name, has the same words. */
export function parse150Size({ lines }: Reply, command: string): number | undefined {
  const found = /\((\d{1,16}) bytes\)\.?\s*$/i.exec(lines.at(-1) ?? "");
  return command.includes(found?.[0].trim() ?? "") ? undefined : parseSize(found?.[1]);
}

export function parse213Time(reply: Reply): Date | undefined {
  const text = /^213[ -]\s*(\d{14}(?:\.\d+)?)\s*$/.exec(reply.lines[0] ?? "")?.[1];
  return text === undefined ? undefined : parseTimeVal(text);
}

/** The port of a 227 reply (RFC 959 §4.1.2); its host is ignored (X3). */
export function parse227(reply: Reply): number | undefined {
  // The text around the six numbers differs: RFC 1123 §4.1.2.6 says to search for the first digit.
  const text = reply.lines.join(" ").slice(4);
  const numbers = /(?<!\d)(?:\d{1,3} *, *){5}\d{1,3}(?!\d)/.exec(text)?.[0].split(",").map(Number);
  if (numbers === undefined || numbers.some((number) => number > 255)) return undefined;
  const [high = 0, low = 0] = numbers.slice(4);
  const port = high * 256 + low;
  return port > 0 ? port : undefined;
}

/** The port of a 229 reply (RFC 2428 §3); its address is ignored (X3). */
export function parse229(reply: Reply): number | undefined {
  const fields = /\(([\x21-\x7e])([^()]*)\)/.exec(reply.lines.join(" "));
  if (fields === null) return undefined;
  const [, delimiter = "", rest = ""] = fields;
  const port = Number(rest.split(delimiter)[2]);
  return Number.isInteger(port) && port > 0 && port < 65536 ? port : undefined;
}

/** The directory of a 257 reply; `""` is one quote (RFC 959, appendix II). */
export function parse257(reply: Reply): string | undefined {
  if (!isCompletion(reply)) return undefined;
  const quoted = /"((?:[^"\n\0]|"")+)"/.exec(reply.lines.join("\n"))?.[1];
  return quoted?.replaceAll('""', '"');
}

export function parseFeatures({ lines }: Reply): ReadonlyMap<string, string> {
  const between = lines.slice(1).filter((line) => !/^211(?: |$)/.test(line));
  // RFC 2389 requires one leading space; some servers repeat the code instead.
  const features = between.map((line) => /^(?:211-)?\s*(\S+)\s*(.*)$/.exec(line));
  return new Map(features.map((parts) => [parts?.[1]?.toUpperCase() ?? "", parts?.[2] ?? ""]));
}

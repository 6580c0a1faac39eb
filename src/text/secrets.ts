/**
 * The secrets of the run: passwords, accounts and credentials of proxies. Any peer may repeat them, and no message
 * shows them, be they clear, percent-encoded or in Base64 (X2); documents and listings on standard output are
 * data, and stay.
 */

/** The expression of each secret. A module's variable: each layer that cuts a text needs the secrets. */
const patterns = new Map<string, RegExp>();

let patternsLongestFirst: readonly RegExp[] | undefined;

/** Shorter secrets are concealed only as whole words: elsewhere they are part of other words. */
const shortestWithin = 4;

/** A longer secret is concealed together with the text behind it. */
const longestPattern = 1000;

/** Conceals a secret of `user`, both as octets. A secret that equals the user's name is none. */
export function keepSecret(secret: string, user = ""): void {
  if (secret === "" || secret === user || patterns.has(secret)) return;
  patterns.set(secret, new RegExp(patternOf(secret, user), "g"));
  patternsLongestFirst = undefined;
}

export function conceal(text: string): string {
  patternsLongestFirst ??= [...patterns]
    .toSorted(([one], [other]) => other.length - one.length)
    .map(([, pattern]) => pattern);
  return patternsLongestFirst.reduce((shown, pattern) => shown.replace(pattern, "***"), text);
}

/** A peer's text for a message; secrets are concealed before the cut, which could leave half of one. */
export function shorten(text: string, most: number): string {
  const shown = conceal(text);
  return shown.length > most ? `${shown.slice(0, most)}...` : shown;
}

function patternOf(secret: string, user: string): string {
  // A letter may be a word: only quotes or brackets show that it stands for something else.
  if (secret.length === 1) return `(?<=["'[({<])${literal(secret)}(?=["'\\])}>])`;
  const octets = Buffer.from(secret, "latin1");
  const text = octets.toString("utf8");
  if (secret.length < shortestWithin)
    return `(?<!\\w)(?:${literal(text)}|${literal(secret)})(?!\\w|://)`;
  if (secret.length > longestPattern)
    return [text, secret].map((each) => `${literal(each.slice(0, longestPattern))}[^]*`).join("|");
  const login = Buffer.from(`${user}:${secret}`, "latin1");
  const clear = [inAnyEncoding(text, "utf8"), inAnyEncoding(secret, "latin1")];
  return [...clear, ...[login, octets].map(base64Pattern)].join("|");
}

function inAnyEncoding(text: string, encoding: "utf8" | "latin1"): string {
  const either = (character: string): string => {
    const hex = Buffer.from(character, encoding).toString("hex");
    const digits = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    return `(?:${literal(character)}|${digits.replace(pairs, "%$&")})`;
  };
  return Array.from(text, either).join("");
}

const pairs = /(?:\d|\[..\]){2}/g;

/** Both alphabets of RFC 4648, with and without the padding. */
function base64Pattern(octets: Buffer): string {
  const digits = octets.toString("base64").replace(/=+$/, "");
  return `${digits.replaceAll("+", "[+-]").replaceAll("/", "[/_]")}={0,2}`;
}

function literal(text: string): string {
  return text.replace(/[^\w]/g, "\\$&");
}

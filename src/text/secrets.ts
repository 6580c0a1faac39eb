/**
 * The secrets of the run: passwords, accounts and credentials of proxies. Any peer may repeat them, and no message
 * shows them, be they clear or in Base64 (X2); files and listings on standard output are data, and stay.
 */

/** All forms in which a secret may come. */
const forms = new Set<string>();

/** Shorter forms are concealed only as whole words: elsewhere they are part of other words. */
const shortestWithin = 4;

/** Conceals a secret of `user`, both as octets. A secret that equals the user's name is none. */
export function keepSecret(secret: string, user = ""): void {
  if (secret === "" || secret === user) return;
  const octets = Buffer.from(secret, "latin1");
  const login = Buffer.from(`${user}:${secret}`, "latin1");
  forms.add(secret).add(octets.toString("utf8"));
  for (const form of [octets, login].flatMap(inBase64)) forms.add(form);
}

function inBase64(octets: Buffer): string[] {
  const padded = octets.toString("base64");
  return [padded, padded.replace(/=+$/, ""), octets.toString("base64url")];
}

/** The text with `***` for all that belongs to a secret, also where two secrets overlap. */
export function conceal(text: string): string {
  const found = [...forms].filter((form) => text.includes(form));
  const ranges = found.flatMap((form) => occurrencesOf(form, text));
  ranges.sort(([one], [other]) => one - other);
  let shown = "";
  let end = 0;
  for (const [from, to] of ranges) {
    if (from >= end) shown += `${text.slice(end, from)}***`;
    end = Math.max(end, to);
  }
  return shown + text.slice(end);
}

type Range = readonly [from: number, to: number];

function occurrencesOf(form: string, text: string): Range[] {
  const ranges: Range[] = [];
  for (let from = text.indexOf(form); from >= 0;) {
    const to = from + form.length;
    if (form.length >= shortestWithin || isWord(text, from, to)) ranges.push([from, to]);
    from = text.indexOf(form, to);
  }
  return ranges;
}

function isWord(text: string, from: number, to: number): boolean {
  const isScheme = text.startsWith("://", to);
  return !isScheme && !/\w/.test(text.charAt(from - 1)) && !/\w/.test(text.charAt(to));
}

/** A peer's text for a message; secrets are concealed before the cut, which could leave half of one. */
export function shorten(text: string, most: number): string {
  const shown = conceal(text);
  return shown.length > most ? `${shown.slice(0, most)}...` : shown;
}

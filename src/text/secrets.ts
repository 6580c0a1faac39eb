/**
 * The secrets of the run: passwords, accounts and credentials of proxies. Any peer may repeat them, and no message
 * shows them, be they clear, percent-encoded or in Base64 (X2); documents and listings on standard output are
 * data, and stay.
 */
import { percentEncoded } from "./percent.ts";

/** All forms of the secrets, the longest first: one may be a part of another. */
let secrets: readonly string[] = [];

/** Shorter secrets are concealed only as whole words: elsewhere they are part of other words. */
const shortestWithin = 4;

/** Conceals a secret of `user`, both as octets. A secret that equals the user's name is none. */
export function keepSecret(secret: string, user = ""): void {
  if (secret === "" || secret === user || secrets.includes(secret)) return;
  const octets = Buffer.from(secret, "latin1");
  const login = Buffer.from(`${user}:${secret}`, "latin1");
  const text = octets.toString("utf8");
  const inBase64 = [octets, login].map((each) => each.toString("base64").replace(/=+$/, ""));
  const forms = [secret, text, encodeURIComponent(text), percentEncoded(text), ...inBase64];
  secrets = [...secrets, ...forms].toSorted((one, other) => other.length - one.length);
}

export function conceal(text: string): string {
  let shown = text;
  for (const secret of secrets) {
    if (!shown.includes(secret)) continue;
    const word = `(?<!\\w)${secret.replace(/\W/g, "\\$&")}(?!\\w|://)`;
    const isWithin = secret.length >= shortestWithin;
    shown = shown.replaceAll(isWithin ? secret : new RegExp(word, "g"), "***");
  }
  return shown;
}

/** A peer's text for a message; secrets are concealed before the cut, which could leave half of one. */
export function shorten(text: string, most: number): string {
  const shown = conceal(text);
  return shown.length > most ? `${shown.slice(0, most)}...` : shown;
}

/** Percent-encoding. Octets are a string with one char each (latin1), from here to the socket. */
import { usageError } from "../errors.ts";

export type Encode = (characters: string) => string;

export function utf8Octets(characters: string): string {
  return Buffer.from(characters, "utf8").toString("latin1");
}

/** A copy of octets: a slice of a text keeps the whole text in memory (V8). */
export function copyOf(octets: string): string {
  return Buffer.from(octets, "latin1").toString("latin1");
}

/** Turns `%XX` into its octet, and non-ASCII into the octets of `encode` (U15). A stray "%" stays. */
export function decodeOctets(text: string, encode: Encode = utf8Octets): string {
  return text.replace(/%([0-9A-Fa-f]{2})|[\u0080-\uffff]+/g, (run, hex?: string) =>
    hex === undefined ? encode(run) : String.fromCharCode(parseInt(hex, 16)),
  );
}

export function percentEncoded(characters: string): string {
  return encodeOctets(utf8Octets(characters), /[^]/g);
}

export function encodeOctets(octets: string, globalPattern: RegExp): string {
  return octets.replace(
    globalPattern,
    (octet) => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

export function endsCommand(octets: string): boolean {
  return /[\r\n\0]/.test(octets);
}

export function encodeName(octets: string): string {
  return encodeOctets(octets, /[^\w.~+,=@-]/g);
}

/** Refuses a stray "%" (U13) and octets that end a command (U14), which it quotes. @throws FtpullError "usage" */
export function checkPercent(text: string): void {
  const [stray] = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(text) ?? [];
  if (stray !== undefined)
    throw usageError(`"${stray}" is not a percent-encoding (use %25 for a literal "%")`);
  const [ending] = /%0[0ADad]|[\0\r\n]/.exec(text) ?? [];
  if (ending !== undefined)
    throw usageError(`"${percentEncoded(decodeOctets(ending))}" cannot be sent`);
}

/** Percent-encoding. Octets are a string with one char each (latin1), from here to the socket. */
import { FtpullError } from "../errors.ts";

/** A part of a URL, and its index there. Errors don't quote a part that is secret: a password. */
export interface Piece {
  readonly text: string;
  readonly at: number;
  readonly isSecret?: boolean;
}

export type Encode = (characters: string) => string;

export function utf8Octets(characters: string): string {
  return Buffer.from(characters, "utf8").toString("latin1");
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

/** Refuses a stray "%" (U13) and octets that end a command (U14). @throws FtpullError "usage" */
export function checkPercent(piece: Piece): void {
  const stray = /%(?![0-9A-Fa-f]{2})/.exec(piece.text);
  if (stray !== null) throw strayPercent(piece, stray.index);
  const ending = /%0[0ADad]|[\0\r\n]/.exec(piece.text);
  if (ending === null) return;
  const found = percentEncoded(decodeOctets(ending[0]));
  const place = `character ${piece.at + ending.index + 1}`;
  throw new FtpullError("usage", `"${found}" at ${place}: it cannot be sent`);
}

function strayPercent({ text, at, isSecret }: Piece, index: number): FtpullError {
  const found = isSecret ? `a "%" in the password` : `"${text.slice(index, index + 3)}"`;
  const message = `${found} at character ${at + index + 1} is not a percent-encoding`;
  return new FtpullError("usage", `${message} (use %25 for a literal "%")`);
}

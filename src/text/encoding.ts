/** Encodings of names on servers. Octets are a string with one char each (latin1). */
import { FtpullError } from "../errors.ts";
import { encodeOctets, utf8Octets, type Encode } from "./percent.ts";

export type Decode = (octets: string) => string;

/** The encoder for a WHATWG label. @throws FtpullError "usage", as the encoder does for a character */
export function encoderFor(label: string): Encode {
  const name = encodingName(label);
  if (name === "utf-8") return utf8Octets;
  let table: ReadonlyMap<string, string> | undefined;
  return (characters) => {
    table ??= octetsByCharacter(name); // Decoding all sequences takes long: only when needed.
    return Array.from(characters, (character) => {
      const octets = table?.get(character);
      if (octets !== undefined) return octets;
      throw new FtpullError("usage", `the character "${character}" doesn't exist in ${label}`);
    }).join("");
  };
}

/** Invalid octets become `%XX`. @throws FtpullError "usage" for an unknown label */
export function decoderFor(label?: string): Decode {
  const name = label === undefined ? "utf-8" : encodingName(label);
  let decode: Decode | undefined;
  return (octets) => {
    // ASCII is the same in all these encodings, and this takes a tenth of a decoder's time.
    if (/^[\0-\x7f]*$/.test(octets)) return octets;
    decode ??= lossyDecoder(name);
    const text = decode(octets);
    return isOfValidOctets(text) ? text : decodePiecewise(octets, decode);
  };
}

/** TextDecoder's name for a label. ISO 8859-1 is windows-1252 to the Encoding standard, and to browsers. */
function encodingName(label: string): string {
  let name: string;
  try {
    name = new TextDecoder(label).encoding;
  } catch (cause) {
    throw new FtpullError("usage", `the encoding "${label}" is unknown`, { cause });
  }
  if (/^(?:utf-16|iso-2022)/.test(name))
    throw new FtpullError("usage", `names in FTP commands cannot be in ${label}`);
  return name;
}

function lossyDecoder(name: string): Decode {
  if (name === "windows-1252") return decodeWindows1252;
  const decoder = new TextDecoder(name, { ignoreBOM: true });
  return (octets) => decoder.decode(Buffer.from(octets, "latin1"));
}

/** Node 20's TextDecoder takes windows-1252 for ISO 8859-1. */
function decodeWindows1252(octets: string): string {
  return octets.replace(
    /[\x80-\x9f]/g,
    (octet) => windows1252[octet.charCodeAt(0) - 0x80] ?? octet,
  );
}

const windows1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function isOfValidOctets(text: string): boolean {
  return !text.includes("\ufffd");
}

/** Decodes the shortest valid sequences: in no encoding does a valid sequence begin another one. */
function decodePiecewise(octets: string, decode: Decode): string {
  let text = "";
  for (let at = 0; at < octets.length;) {
    const piece = [1, 2, 3, 4]
      .map((length) => octets.slice(at, at + length))
      .find((sequence) => isOfValidOctets(decode(sequence)));
    text += piece === undefined ? encodeOctets(octets.charAt(at), /[^]/g) : decode(piece);
    at += piece?.length ?? 1;
  }
  return text;
}

function octetsByCharacter(name: string): ReadonlyMap<string, string> {
  const decode = lossyDecoder(name);
  const table = new Map<string, string>();
  for (const octets of sequences(decode)) {
    const text = decode(octets);
    const isCharacter = isOfValidOctets(text) && Array.from(text).length === 1;
    const isFirst = !table.has(text) && duplicates[name]?.test(octets) !== true;
    if (isCharacter && isFirst) table.set(text, octets);
  }
  return table;
}

function* sequences(decode: Decode): Generator<string> {
  const octets = Array.from({ length: 256 }, (_, octet) => String.fromCharCode(octet));
  yield* octets;
  for (const lead of octets.filter((octet) => !isOfValidOctets(decode(octet))))
    for (const trail of octets.slice(0x30)) yield lead + trail;
}

/** Second codes of characters, which the Encoding standard decodes but never encodes to. */
const duplicates: Readonly<Record<string, RegExp>> = {
  shift_jis: /^[\xed\xee]/,
  big5: /^(?:[\x81-\xa0]|\xa2[\xcc\xce])/,
};

/** netrc, in the format of ftp(1). Values stay octets (latin1): their encoding is not changed. */
import { homedir } from "node:os";
import { join } from "node:path";
import { systemText } from "../errors.ts";
import { fileError, errorCode } from "../files/file-error.ts";
import { readRegular } from "../files/regular-file.ts";

export interface NetrcEntry {
  /** Undefined for the `default` entry. */
  readonly machine: string | undefined;
  readonly login?: string;
  readonly password?: string;
  readonly account?: string;
}

const mostOctets = 1024 * 1024;

/** `~/.netrc` need not exist; no path is --no-netrc's "". @throws FtpullError "file" if `path` is given and unreadable */
export function readNetrc(path: string | undefined, warn: (text: string) => void): NetrcEntry[] {
  // HOME comes first, as for curl, on Windows too.
  const home = process.env["HOME"] ?? homedir();
  // Without a home directory .netrc would be looked up in the working directory.
  if (path === "" || (path === undefined && home === "")) return [];
  const file = path ?? join(home, ".netrc");
  try {
    const { octets } = readRegular(file, mostOctets);
    return parseNetrc(octets.toString("latin1").replace(/^\xef\xbb\xbf/, ""));
  } catch (error) {
    if (path !== undefined) throw fileError("read", path, error);
    if (errorCode(error) !== "ENOENT") warn(`cannot read "${file}": ${systemText(error)}`);
    return [];
  }
}

/** The first entry for `host`, else the `default` entry. With `user`, entries of other logins don't count. */
export function findNetrc(
  entries: readonly NetrcEntry[],
  host: string,
  user?: string,
): NetrcEntry | undefined {
  const serving = entries.filter(
    ({ login }) => user === undefined || login === undefined || login === user,
  );
  return (
    serving.find(({ machine }) => machine?.toLowerCase() === host.toLowerCase()) ??
    serving.find(({ machine }) => machine === undefined)
  );
}

/** Words that are no keyword are ignored. A `#` begins a comment only in place of a keyword: a password may have one. */
export function parseNetrc(text: string): NetrcEntry[] {
  const entries: { -readonly [Key in keyof NetrcEntry]: NetrcEntry[Key] }[] = [];
  for (const [, keyword, quoted, bare = "", other] of text.matchAll(netrcItem)) {
    const value = (quoted ?? bare).replace(/\\(.)/gs, "$1");
    const entry = entries.at(-1);
    if (other === "default") entries.push({ machine: undefined });
    else if (keyword === "machine") entries.push({ machine: value });
    else if (keyword !== undefined && entry)
      entry[keyword as "login" | "password" | "account"] = value;
  }
  return entries;
}

/** A backslash escapes the next octet, as in ftp(1) and wget. \s would take octet 160, which UTF-8 has in "à". */
const bareWord = String.raw`(?:[^ \t\r\n\f\v\\]+|\\[^\n]|\\)+`;
const value = String.raw`(?:"((?:[^"\\\n]+|\\.)*)"?|(${bareWord}))`;

/** A comment; a macro, which ends at the first blank line; a keyword with its value; or another word. */
const netrcItem = new RegExp(
  String.raw`#[^\n]*|macdef(?=\s).*?(?:\n[ \t\r]*\n|$)|` +
    String.raw`(machine|login|password|account)[ \t\r\n\f\v]+${value}|(${bareWord})`,
  "gs",
);

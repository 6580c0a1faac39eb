/** netrc, in the format of ftp(1). Values stay octets (latin1): their encoding is not changed. */
import { homedir } from "node:os";
import { join } from "node:path";
import { systemText } from "../errors.ts";
import { errorAbout, errorCode } from "../files/file-error.ts";
import { readRegular } from "../files/regular-file.ts";

export interface NetrcEntry {
  /** Undefined for the `default` entry. */
  readonly machine: string | undefined;
  readonly login?: string;
  readonly password?: string;
  readonly account?: string;
}

const mostOctets = 1024 * 1024;

/** `~/.netrc` need not exist. @throws FtpullError "file" if `path` is given and unreadable */
export function readNetrc(path: string | undefined, warn: (text: string) => void): NetrcEntry[] {
  // HOME comes first, as for curl, on Windows too.
  const home = process.env["HOME"] ?? homedir();
  // Without a home directory .netrc would be looked up in the working directory.
  if (path === undefined && home === "") return [];
  const file = path ?? join(home, ".netrc");
  try {
    const { octets } = readRegular(file, mostOctets, "follow");
    return parseNetrc(octets.toString("latin1").replace(/^\xef\xbb\xbf/, ""));
  } catch (error) {
    const hint =
      "--netrc-file names a file with lines like: machine <host> login <user> password <password>";
    if (path !== undefined) throw errorAbout("read", `"${path}"`, error, hint);
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

/**
 * A `#` begins a comment only where a keyword is expected: a password may contain one. Unknown words are
 * ignored.
 */
export function parseNetrc(text: string): NetrcEntry[] {
  const entries: { -readonly [Key in keyof NetrcEntry]: NetrcEntry[Key] }[] = [];
  let position = 0;
  const skip = (stickyPattern: RegExp): RegExpExecArray | null => {
    stickyPattern.lastIndex = position;
    const match = stickyPattern.exec(text);
    position += match?.[0].length ?? 0;
    return match;
  };
  const nextWord = (): string | undefined => {
    skip(/[ \t\r\n\f\v]*/y);
    return unquoted(skip(netrcWord));
  };
  for (let word = nextWord(); word !== undefined; word = nextWord()) {
    if (word.startsWith("#")) skip(/[^\n]*/y);
    else if (word === "machine") entries.push({ machine: nextWord() ?? "" });
    else if (word === "default") entries.push({ machine: undefined });
    // A macro, with commands of ftp(1), ends at the first blank line.
    else if (word === "macdef") skip(/.*?(?:\n[ \t\r]*\n|$)/sy);
    else if (word === "login" || word === "password" || word === "account") {
      const value = nextWord();
      const entry = entries.at(-1);
      if (entry !== undefined && value !== undefined) entry[word] = value;
    }
  }
  return entries;
}

/**
 * A word, perhaps quoted. A backslash escapes the next octet, quoted or not, as in ftp(1) and wget. Octet 160 is part of
 * a UTF-8 word, as in "à"; \s would take it for a blank.
 */
const netrcWord = /"((?:[^"\\\n]+|\\.)*)"?|((?:[^ \t\r\n\f\v\\]+|\\[^\n]|\\)+)/sy;

function unquoted(match: RegExpExecArray | null): string | undefined {
  return (match?.[1] ?? match?.[2])?.replace(/\\(.)/gs, "$1");
}

/** netrc, in the format of ftp(1). Values stay octets (latin1): their encoding is not changed. */
import type { Stats } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { systemText } from "../errors.ts";
import { errorAbout, errorCode } from "../files/file-error.ts";
import { readRegular } from "../files/regular-file.ts";

export interface NetrcEntry {
  /** The host; undefined for the `default` entry. */
  readonly machine: string | undefined;
  readonly login?: string;
  readonly password?: string;
  readonly account?: string;
}

interface Netrc {
  readonly entries: readonly NetrcEntry[];
  /** For the user, one sentence each. */
  readonly warnings: readonly string[];
}

const mostOctets = 1024 * 1024;

const none: Netrc = { entries: [], warnings: [] };

/** `~/.netrc` need not exist. @throws FtpullError "file" if `path` is given and unreadable */
export function readNetrc(path?: string): Netrc {
  // HOME comes first, as for curl, on Windows too. It also saves the time of loading node:os.
  const home = process.env["HOME"] ?? homedir();
  // Without a home directory .netrc would be looked up in the working directory.
  if (path === undefined && home === "") return none;
  const file = path ?? join(home, ".netrc");
  try {
    const { octets, stats } = readRegular(file, mostOctets, "follow");
    const entries = parseNetrc(octets.toString("latin1"));
    return { entries, warnings: exposureWarnings(file, stats, entries) };
  } catch (error) {
    if (path === undefined && errorCode(error) === "ENOENT") return none;
    const hint =
      "--netrc-file names a file with lines like: machine <host> login <user> password <password>";
    if (path !== undefined) throw errorAbout("read", `"${path}"`, error, hint);
    return { entries: [], warnings: [`cannot read "${file}": ${systemText(error)}`] };
  }
}

/** As in ftp(1), the password of an anonymous login is no secret. */
function exposureWarnings(file: string, { mode }: Stats, entries: readonly NetrcEntry[]): string[] {
  const secret = entries.some(
    ({ login, password }) => password !== undefined && login?.toLowerCase() !== "anonymous",
  );
  const exposed = process.platform !== "win32" && (mode & 0o044) !== 0;
  return secret && exposed ? [`other users can read the passwords in "${file}": chmod 600 it`] : [];
}

/** The first entry for `host` with the login `user`, if given, or without one; else `default`'s. */
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
 * Parses a netrc file. A `#` begins a comment only where a keyword is expected, so a password may
 * contain one. Values may be quoted; a backslash escapes the next octet, quoted or not, as in
 * ftp(1) and wget. Unknown words are ignored.
 */
export function parseNetrc(text: string): NetrcEntry[] {
  const entries: { -readonly [Key in keyof NetrcEntry]: NetrcEntry[Key] }[] = [];
  const tokens = new Tokens(text);
  for (let word = tokens.next(); word !== undefined; word = tokens.next()) {
    if (word.startsWith("#")) tokens.skip(/[^\n]*/y);
    else if (word === "machine") entries.push({ machine: tokens.next() ?? "" });
    else if (word === "default") entries.push({ machine: undefined });
    // A macro, with commands of ftp(1), ends at the first blank line.
    else if (word === "macdef") tokens.skip(/.*?(?:\n[ \t\r]*\n|$)/sy);
    else if (word === "login" || word === "password" || word === "account") {
      const value = tokens.next();
      const entry = entries.at(-1);
      if (entry !== undefined && value !== undefined) entry[word] = value;
    }
  }
  return entries;
}

class Tokens {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next word or quoted value, without quotes and backslashes. */
  next(): string | undefined {
    this.skip(/\s*/y);
    const token = this.skip(/"((?:[^"\\\n]+|\\.)*)"?|((?:[^\s\\]+|\\[^\n]|\\)+)/sy);
    if (token === null) return undefined;
    return (token[1] ?? token[2] ?? "").replace(/\\(.)/gs, "$1");
  }

  /** Skips what `pattern`, which is sticky, matches at the present position. */
  skip(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.#text);
    this.#position += match?.[0].length ?? 0;
    return match;
  }
}

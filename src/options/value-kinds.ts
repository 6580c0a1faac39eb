/** The kinds of arguments: how each is read, and the words for what is expected. */
import { isIP } from "node:net";
import { parseChecksum } from "../checksums/checksum.ts";
import { hints } from "../hints.ts";
import { endsCommand, utf8Octets } from "../text/percent.ts";

export interface Kind {
  readonly read: (text: string) => unknown;
  readonly expected: string;
  readonly hint?: string;
  /** Errors don't quote the argument: a user may hold a password, and an account is one. */
  readonly isSecret?: boolean;
}

export const kinds = {
  text: { read: text, expected: "a text that isn't empty" },
  line: { read: line, expected: "a line", isSecret: true },
  // The process list shows the password of curl's `--user name:password`.
  user: {
    read: (given) => (given.includes(":") ? undefined : line(given)),
    expected: "a name without a colon",
    hint: hints.login,
    isSecret: true,
  },
  seconds: {
    read: (given) => milliseconds(given) || undefined,
    expected: "a number of seconds above 0",
  },
  pause: { read: milliseconds, expected: "a number of seconds" },
  number: { read: number, expected: "a whole number" },
  // wget writes "inf" for no limit.
  limit: { read: (given) => (given === "inf" ? 0 : number(given)), expected: "a whole number" },
  // curl's --retry doesn't count the first try.
  retries: { read: tries, expected: "a whole number" },
  positive: { read: (given) => number(given) || undefined, expected: "a whole number above 0" },
  port: { read: port, expected: "a port from 1 to 65535" },
  address: {
    read: (given) => (isIP(given) ? given : undefined),
    expected: "an IPv4 or IPv6 address",
  },
  rate: { read: rate, expected: "bytes a second, such as 500k or 2M" },
  "alg:hex": {
    read: parseChecksum,
    expected: "md5, sha1, sha256 or sha512, a colon and all the hex digits",
  },
  globs: {
    read: globs,
    expected: "names or patterns separated by commas, with a slash only at the end",
  },
  paths: { read: commaList, expected: "paths separated by commas" },
  time: { read: time, expected: "a time such as 2026-11-01, 2026-11-01T12:00Z, 7d or 12h" },
} as const satisfies Readonly<Record<string, Kind>>;

export type ValueKind = keyof typeof kinds;

/** An empty argument is usually a shell variable that is not set. */
function text(given: string): string | undefined {
  return given === "" ? undefined : given;
}

/** A part of a command, as octets. */
function line(given: string): string | undefined {
  return endsCommand(given) ? undefined : text(utf8Octets(given));
}

/** Node's timers hold 31 bits and fire at once for more. */
function milliseconds(seconds: string): number | undefined {
  const rounded = decimal.test(seconds) ? Math.round(Number(seconds) * 1000) : NaN;
  return rounded < 2 ** 31 ? rounded : undefined;
}

const decimal = /^\d+(?:\.\d+)?$/;

function number(given: string): number | undefined {
  return /^\d{1,9}$/.test(given) ? Number(given) : undefined;
}

function tries(given: string): number | undefined {
  const retries = number(given);
  return retries === undefined ? undefined : retries + 1;
}

function port(given: string): number | undefined {
  const value = number(given) ?? NaN;
  return value >= 1 && value <= 65535 ? value : undefined;
}

/** A rate in bytes a second, 0 for no limit; k, M and G are powers of 1024, as in wget. */
function rate(given: string): number | undefined {
  const [, value, unit = ""] = /^(\d+(?:\.\d+)?)([kmg]?)$/i.exec(given) ?? [];
  const bytes = Number(value) * 1024 ** ["", "k", "m", "g"].indexOf(unit.toLowerCase());
  return Number.isFinite(bytes) ? Math.ceil(bytes) : undefined;
}

/** A name has no slash: `a/b` would match none. Directories end in one: `a/b/`. */
function globs(given: string): string[] | undefined {
  const elements = commaList(given);
  const hasPath = elements?.some((element) => /\/[^]*[^/]$/.test(element));
  return hasPath ? undefined : elements;
}

function commaList(given: string): string[] | undefined {
  const elements = given.split(",").filter((element) => element !== "");
  return elements.length > 0 ? elements : undefined;
}

/** A time without "Z" is in this machine's zone, also a date alone, which Date would take for UTC. */
function time(given: string): Date | undefined {
  const [, count, unit] = /^(\d{1,6})([dh])$/.exec(given) ?? [];
  if (count !== undefined)
    return new Date(Date.now() - Number(count) * (unit === "d" ? 24 : 1) * 3_600_000);
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d)?Z?)?$/.exec(given) ?? [];
  if (day === undefined) return undefined;
  const date = new Date(`${day}${clock ?? "T00:00"}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

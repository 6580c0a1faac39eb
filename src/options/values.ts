/** Parses the arguments of options by their kind, and derives the types of the settings. */
import { parseChecksum } from "../checksums/checksum.ts";
import { FtpullError } from "../errors.ts";
import { redactUrlText } from "../url/format.ts";
import type { OptionRecord, ValueKind } from "./table.ts";

/** The type of an option's setting. */
export type Setting<Option> = Option extends { argument: string }
  ? Option extends { repeatable: true }
    ? readonly Flat<Value<Option>>[]
    : Option extends { default: string }
      ? Value<Option>
      : Value<Option> | undefined
  : boolean;

/** A repeated option's lists are joined. */
type Flat<T> = T extends readonly (infer Element)[] ? Element : T;

type Value<Option> = Option extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Option extends { value: infer Kind extends ValueKind }
    ? NonNullable<ReturnType<(typeof readers)[Kind]>>
    : string;

/** @throws FtpullError "usage" that says what was expected */
export function readArgument(record: OptionRecord, text: string): unknown {
  const kind = record.value ?? "text";
  const value = record.choices ? record.choices.find((one) => one === text) : readers[kind](text);
  if (value !== undefined) return value;
  if (kind === "user" && text.includes(":")) throw colonBehindUser(record.long, text);
  const expected = record.choices ? alternatives(record.choices) : expectations[kind];
  const shown = isSecret[kind] ? record.long : `${record.long} "${redactUrlText(text)}"`;
  throw new FtpullError("usage", `${shown}: expected ${expected}`);
}

/** Users and accounts are not quoted in errors, since a password may follow them by mistake. */
const isSecret: Partial<Record<ValueKind, boolean>> = { user: true, line: true };

/** As in curl's `--user name:password`, which the process list would show. */
function colonBehindUser(option: string, text: string): FtpullError {
  const shown = `${option} "${text.slice(0, text.indexOf(":"))}:..."`;
  return new FtpullError("usage", `${shown}: the name contains a colon`, {
    hint: "give the password with --password-file, --ask-password or FTPULL_PASSWORD",
  });
}

/** "a, b or c". */
export function alternatives(choices: readonly string[]): string {
  return choices.join(", ").replace(/, (?=[^,]*$)/, " or ");
}

/** The parsers give undefined for text of another kind. */
const readers = {
  text,
  line,
  user,
  seconds,
  count,
  positive,
  port,
  rate,
  checksum: parseChecksum,
  globs,
  time,
};

const expectations: Readonly<Record<ValueKind, string>> = {
  text: "a text that isn't empty",
  line: "one line of text",
  user: "one line of text",
  seconds: "a number of seconds above 0",
  count: "a whole number",
  positive: "a whole number above 0",
  port: "a port from 1 to 65535",
  checksum: "md5, sha1, sha256 or sha512, a colon and all the hex digits",
  globs: "names or patterns, separated by commas",
  time: "a time such as 2026-11-01, 2026-11-01T12:00Z, 7d or 12h",
  rate: "octets per second above 0, such as 500k or 2M",
};

/** An empty argument is usually a shell variable that is not set. */
function text(given: string): string | undefined {
  return given === "" ? undefined : given;
}

/** Text that can be the argument of an FTP command. */
function line(given: string): string | undefined {
  return /[\r\n\0]/.test(given) ? undefined : text(given);
}

function user(given: string): string | undefined {
  return given.includes(":") ? undefined : line(given);
}

/** In milliseconds; Node's timers hold 31 bits and fire at once for more. */
function seconds(given: string): number | undefined {
  const milliseconds = /^(\d+\.?\d*|\.\d+)$/.test(given) ? Math.round(Number(given) * 1000) : NaN;
  return milliseconds >= 1 && milliseconds < 2 ** 31 ? milliseconds : undefined;
}

function count(given: string): number | undefined {
  return /^\d{1,9}$/.test(given) ? Number(given) : undefined;
}

function positive(given: string): number | undefined {
  return count(given) || undefined;
}

function port(given: string): number | undefined {
  const number = /^\d+$/.test(given) ? Number(given) : NaN;
  return number >= 1 && number <= 65535 ? number : undefined;
}

/** In octets per second; k, M and G are powers of 1024, as in wget. */
function rate(given: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d+\.?\d*|\.\d+)([kmg]?)$/i.exec(given) ?? [];
  const octets = Number(number) * 1024 ** " kmg".indexOf(unit.toLowerCase() || " ");
  return octets >= 1 && Number.isFinite(octets) ? octets : undefined;
}

function globs(given: string): string[] | undefined {
  const elements = given.split(",").filter((element) => element !== "");
  return elements.length > 0 ? elements : undefined;
}

/** Without "Z" in this machine's zone, also a date alone, which Date would take for UTC. */
function time(given: string): Date | undefined {
  const [, number, unit] = /^(\d{1,6})([dh])$/.exec(given) ?? [];
  if (number !== undefined)
    return new Date(Date.now() - Number(number) * (unit === "d" ? 24 : 1) * 3_600_000);
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d)?Z?)?$/.exec(given) ?? [];
  const date = new Date(`${day}${clock ?? "T00:00"}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

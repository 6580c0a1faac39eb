/**
 * Makes the plan of a URL (RFC 1738 §3.2.2), from which the commands follow: arguments of CWD, name,
 * representation type, action.
 */
import { FtpullError } from "../errors.ts";
import type { Conversion } from "../text/line-ends.ts";
import { decodeOctets, type Encode, endsCommand } from "../text/percent.ts";
import type { FtpUrl } from "./ftp-url.ts";

/**
 * "list" is for the directory `name`, or, if `name` is "", for the one that the CWDs reach; "retrieve-or-list" is
 * RETR, and if that is refused with 550 or 553, the listing of `name` (P8).
 */
export type Action = "retrieve" | "list" | "retrieve-or-list";

/**
 * Arguments of commands, as octets. `name` is in the directory that the CWDs reach, or "" for this directory;
 * `type` is undefined for a listing without a typecode, for which no TYPE is sent.
 */
export interface Plan {
  readonly cwds: readonly string[];
  readonly name: string;
  readonly action: Action;
  readonly type: string | undefined;
  readonly conversion: Conversion;
}

/**
 * --null-cwd: empty segments are sent, too (P2). --guess-type: a name with a text suffix has type A (P12). `encode` is
 * for raw characters in names, by default UTF-8 (U15, S10).
 */
export interface PlanOptions {
  readonly nullCwd?: boolean;
  readonly guessType?: boolean;
  readonly encode?: Encode | undefined;
}

export function planOf(url: FtpUrl, options: PlanOptions = {}): Plan {
  const segments = url.segments.map((segment) => decodeSegment(segment, options.encode));
  const name = segments.at(-1) ?? "";
  const cwds = segments.slice(0, -1).filter((cwd) => options.nullCwd || cwd !== "");
  return planIn(cwds, name, actionOf(url.typecode, name), url.typecode, options);
}

export function planIn(
  cwds: readonly string[],
  name: string,
  action: Action,
  typecode: string | undefined,
  options: PlanOptions,
): Plan {
  const guessed = options.guessType && textSuffix.test(name) ? "A" : "I";
  // A directory may have a name that looks like a file's.
  const byName = action === "list" ? undefined : guessed;
  const type = typecode === "D" ? undefined : (typecode ?? byName);
  return { cwds, name, action, type, conversion: conversionOf(type) };
}

export function hasRawCharacters(url: FtpUrl): boolean {
  return url.segments.some((segment) => /\P{ASCII}/u.test(segment));
}

function decodeSegment(segment: string, encode: Encode | undefined): string {
  const octets = decodeOctets(segment, encode);
  // The URL has no CR, LF and NUL: parsePath has checked it. But `encode` may produce them.
  if (endsCommand(octets))
    throw new FtpullError("usage", "a name in that encoding would contain CR, LF or NUL");
  return octets;
}

function actionOf(typecode: string | undefined, name: string): Action {
  if (name === "" || typecode === "D") return "list";
  return typecode === undefined ? "retrieve-or-list" : "retrieve";
}

const textSuffix =
  /\.(?:asc|bat|c|cc|cfg|conf|cpp|css|csv|diff|h|htm|html|ini|java|js|json|log|md|patch|pl|py|sh|sql|tex|tsv|txt|xml|yaml|yml)$/i;

/** The conversion for the type `inForce`, if the server refused the plan's type (P3). A session begins with ASCII. */
export function conversionFor({ conversion }: Plan, inForce: string | undefined): Conversion {
  return conversion === "none" ? "none" : conversionOf(inForce ?? "A");
}

function conversionOf(type: string | undefined): Conversion {
  if (type?.startsWith("A")) return "ascii";
  if (type?.startsWith("E")) return "ebcdic";
  return type === "U" ? "net-unicode" : "none";
}

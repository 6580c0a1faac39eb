/** Patterns in URLs: `*` and `[...]`, written raw in the last segment. */
import { FtpullError } from "../errors.ts";
import { quoteForGlob } from "../text/glob.ts";
import { decodeOctets, type Encode } from "../text/percent.ts";
import type { FtpUrl } from "./ftp-url.ts";

/**
 * The pattern of a URL's last segment; undefined if it has none. What is percent-encoded in it
 * stands for itself. @throws FtpullError "usage" for one in another segment
 */
export function patternIn(
  { segments, typecode }: FtpUrl,
  decode: (octets: string) => string,
  encode?: Encode,
): string | undefined {
  const inner = segments.slice(0, -1).find(isPattern);
  if (inner !== undefined)
    throw usageError(`a pattern such as "${inner}" can only stand in the last segment of a URL`);
  const last = segments.at(-1) ?? "";
  if (!isPattern(last)) return undefined;
  if (typecode === "D")
    throw usageError(`";type=d" and the pattern "${last}" contradict each other`);
  const literal = (octets: string): string => decode(decodeOctets(octets, encode));
  return last.replace(/(?:%[0-9a-f]{2})+|\P{ASCII}+/giu, (run) => quoteForGlob(literal(run)));
}

function isPattern(segment: string): boolean {
  return /\*|\[[^]*\]/.test(segment);
}

function usageError(message: string): FtpullError {
  const hint = "write * as %2A and [ as %5B, or give --no-glob, where they belong to a name";
  return new FtpullError("usage", message, { hint });
}

/** Patterns in URLs: `*` and `[...]`, written raw in a segment. */
import { usageError } from "../errors.ts";
import { hints } from "../hints.ts";
import type { Decode } from "../text/encoding.ts";
import { quoteForGlob } from "../text/glob.ts";
import { decodeOctets } from "../text/percent.ts";
import type { FtpUrl } from "./ftp-url.ts";

/**
 * The segments of a URL from the first pattern on, as globs; percent-encoded characters are literal. A final
 * slash stays with the last glob, for directories only. @throws FtpullError "usage"
 */
export function patternsIn({ segments, typecode }: FtpUrl, decode: Decode): string[] {
  const at = segments.findIndex(hasPattern);
  if (at < 0) return [];
  const first = segments[at]!;
  if (typecode === "D")
    throw usageError(`";type=d" and the pattern "${first}" contradict each other`, hints.noGlob);
  const literal = (run: string): string => quoteForGlob(decode(decodeOctets(run)));
  const globs: string[] = [];
  for (const segment of segments.slice(at)) {
    if ([".", ".."].includes(decodeOctets(segment)))
      throw usageError(`"${segment}" can't stand behind the pattern "${first}"`, hints.noGlob);
    if (segment !== "") globs.push(segment.replace(/(?:%[0-9a-f]{2})+/gi, literal));
  }
  return segments.at(-1) === "" ? [...globs.slice(0, -1), `${globs.at(-1)}/`] : globs;
}

export function directoryOfPatterns(url: FtpUrl): FtpUrl {
  const at = url.segments.findIndex(hasPattern);
  return { ...url, segments: [...url.segments.slice(0, at), ""] };
}

function hasPattern(segment: string): boolean {
  return /\*|\[[^]*\]/.test(segment);
}

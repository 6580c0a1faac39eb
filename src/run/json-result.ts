/** --json: a result as one line. */
import type { Result } from "../documents/result.ts";
import type { Verified } from "../documents/verify/verification.ts";
import { jsonString } from "../text/escape.ts";
import { formatUtc } from "../text/units.ts";

/** One line with its end. All keys are always present; null means unknown, or doesn't apply. */
export function jsonResult(result: Result): string {
  const { url, file, modified, sha256, verified, status, reason, exit, error } = result;
  const fields: Record<string, string> = {
    url: textOf(url),
    file: textOf(file),
    octets: numberOf(result.octets),
    seconds: numberOf(rounded(result.seconds)),
    resumed: numberOf(result.resumed),
    size: numberOf(result.size),
    modified: textOf(modified instanceof Date ? formatUtc(modified) : modified),
    sha256: textOf(sha256),
    verified: verified === undefined ? "null" : proofOf(verified),
    status: textOf(status),
    reason: textOf(reason),
    exit: numberOf(exit),
    error: textOf(error?.message),
  };
  const members = Object.entries(fields).map(([key, value]) => `"${key}":${value}`);
  return `{${members.join(",")}}\n`;
}

function proofOf({ algorithm, source }: Verified): string {
  return `{"algorithm":${jsonString(algorithm)},"source":${jsonString(source)}}`;
}

function textOf(text: string | undefined): string {
  return text === undefined ? "null" : jsonString(text);
}

function numberOf(number: number | undefined): string {
  return `${number ?? null}`;
}

/** To milliseconds. */
function rounded(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000) / 1000;
}

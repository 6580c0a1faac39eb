/** --json: a result as one line. All keys are always present; null means unknown, or doesn't apply. */
import type { Result } from "../documents/result.ts";
import { jsonString } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { formatUtc } from "../text/units.ts";

export function jsonResult(result: Result): string {
  const { seconds, modified, verified, error } = result;
  const members = {
    url: result.url ?? null,
    file: result.file ?? null,
    bytes: result.octets ?? null,
    seconds: seconds === undefined ? null : Math.round(seconds * 1000) / 1000,
    resumed: result.resumed ?? null,
    size: result.size ?? null,
    modified: (modified instanceof Date ? formatUtc(modified) : modified) ?? null,
    sha256: result.sha256 ?? null,
    status: result.status,
    reason: result.reason ?? null,
    exit: result.exit,
    error: error === undefined ? null : conceal(error.message),
    verified: verified ? { algorithm: verified.algorithm, source: verified.source } : null,
  };
  return `${jsonString(members)}\n`;
}

/** The total of a run, counted in constant memory: its last messages. */
import type { Result } from "../documents/result.ts";
import { counted, formatOctets, inTime } from "../text/units.ts";

const mostOnScreen = 5;

const mostShown = 20;

export class Tally {
  readonly #counts = { files: 0, links: 0, unchanged: 0, skipped: 0, leftOut: 0, failed: 0 };
  #results = 0;
  #octets = 0;
  readonly #verified = new Map<string, number>();
  #unverified = 0;
  readonly #failures: string[] = [];

  get count(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count);
  }

  add(result: Result): void {
    const { octets = 0, resumed = 0, verified, link } = result;
    const by = verified?.checksums[0]?.algorithm;
    const kind = countedAs(result);
    this.#results++;
    if (kind !== undefined) this.#counts[kind]++;
    if (kind === "failed") this.#addFailure(result);
    if (kind === "files") this.#octets += Math.max(0, octets - resumed);
    const isKept = kind === "unchanged" || kind === "skipped";
    if (by !== undefined) this.#verified.set(by, (this.#verified.get(by) ?? 0) + 1);
    else if (kind === "files" || (isKept && link === undefined)) this.#unverified++;
  }

  #addFailure({ url, place, error }: Result): void {
    const line = [place, url, error?.message].filter((part) => part !== undefined).join(": ");
    if (this.#failures.length < mostShown) this.#failures.push(line);
  }

  /** Failures again, where they may have left the screen. */
  failureLines(): string[] {
    const { failed } = this.#counts;
    if (this.#results <= mostOnScreen || failed === 0) return [];
    const more = failed - this.#failures.length;
    const rest = more === 0 ? [] : [`and ${more} more`];
    return [`${failed} of ${this.#results} failed:`, ...this.#failures, ...rest];
  }

  total(seconds: number, isVerifying: boolean): string {
    const { files, links, unchanged, skipped, leftOut, failed } = this.#counts;
    const parts = [
      counted(files, "file"),
      links > 0 && counted(links, "link"),
      `${formatOctets(this.#octets)} ${inTime(this.#octets, seconds)}`,
      unchanged > 0 && `${unchanged} unchanged`,
      skipped > 0 && `${skipped} skipped`,
      leftOut > 0 && `${counted(leftOut, "link")} left out`,
      failed > 0 && `${failed} failed`,
      ...this.#verifiedParts(isVerifying),
    ];
    return `total: ${parts.filter(Boolean).join(", ")}`;
  }

  #verifiedParts(isVerifying: boolean): string[] {
    const counts = Array.from(this.#verified, ([algorithm, count], index) =>
      index === 0 ? `${count} verified by ${algorithm}` : `${count} by ${algorithm}`,
    );
    const isMissing = isVerifying && this.#unverified > 0;
    return isMissing ? [...counts, `${this.#unverified} without a checksum`] : counts;
  }
}

function countedAs({ status, reason, link, resumed }: Result) {
  if (reason === "unchanged") return "unchanged";
  if (status === "skipped") return reason === undefined ? "leftOut" : "skipped";
  if (status === "failed") return "failed";
  if (link !== undefined) return "links";
  return resumed === undefined ? undefined : "files";
}

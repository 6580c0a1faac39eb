/** The total of a run, counted in constant memory: its last messages. */
import type { Result } from "../documents/result.ts";
import { isDiskFull } from "../files/file-error.ts";
import { counted, formatDuration, formatOctets, formatRate } from "../text/units.ts";

const mostOnScreen = 5;

const mostShown = 20;

const leastSecondsForRate = 0.1;

export class Tally {
  readonly #counts = { files: 0, links: 0, skipped: 0, leftOut: 0, deleted: 0, failed: 0 };
  #documents = 0;
  /** Number of failures that aren't shown again: of no document, or by a full disk, which ends the run. */
  #unrepeated = 0;
  #octets = 0;
  readonly #verifiedByAlgorithm = new Map<string, number>();
  #unverifiedFiles = 0;
  readonly #shownFailures: string[] = [];

  get count(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count);
  }

  add(result: Result): void {
    const { url, octets = 0, resumed = 0, verified, link } = result;
    const kind = kindOf(result);
    if (kind !== undefined) this.#counts[kind]++;
    if (kind === "failed") this.#addFailure(result);
    if (url !== undefined) this.#documents++;
    if (kind === "files") this.#octets += Math.max(0, octets - resumed);
    const isFile = kind === "files" || (kind === "skipped" && link === undefined);
    if (verified !== undefined) this.#addVerified(verified.algorithm);
    else if (isFile) this.#unverifiedFiles++;
  }

  #addVerified(algorithm: string): void {
    this.#verifiedByAlgorithm.set(algorithm, (this.#verifiedByAlgorithm.get(algorithm) ?? 0) + 1);
  }

  #addFailure({ url, place, error }: Result): void {
    const line = [place, url, error?.message].filter((part) => part !== undefined).join(": ");
    if (url === undefined || isDiskFull(error)) this.#unrepeated++;
    else if (this.#shownFailures.length < mostShown) this.#shownFailures.push(line);
  }

  lines(seconds: number, isVerifying: boolean): string[] {
    return [...this.#failureLines(), this.#total(seconds, isVerifying)];
  }

  #failureLines(): string[] {
    const failed = this.#counts.failed - this.#unrepeated;
    if (this.#documents <= mostOnScreen || failed === 0) return [];
    const more = failed - this.#shownFailures.length;
    return [
      `${failed} of ${this.#documents} documents failed:`,
      ...this.#shownFailures,
      ...(more === 0 ? [] : [`and ${more} more`]),
    ];
  }

  #total(seconds: number, isVerifying: boolean): string {
    const isMeasured = this.#octets > 0 && seconds >= leastSecondsForRate;
    const rate = isMeasured ? ` (${formatRate(this.#octets / seconds)})` : "";
    const { files, links, skipped, leftOut, deleted, failed } = this.#counts;
    const parts = [
      counted(files, "file"),
      links > 0 && counted(links, "link"),
      `${formatOctets(this.#octets)} in ${formatDuration(seconds)}${rate}`,
      skipped > 0 && `${skipped} skipped`,
      leftOut > 0 && `${counted(leftOut, "link")} left out`,
      deleted > 0 && `${deleted} deleted`,
      failed > 0 && `${failed} failed`,
      ...this.#verifiedParts(isVerifying),
    ];
    return `total: ${parts.filter(Boolean).join(", ")}`;
  }

  #verifiedParts(isVerifying: boolean): string[] {
    const counts = [...this.#verifiedByAlgorithm].map(([algorithm, count], index) =>
      index === 0 ? `${count} verified by ${algorithm}` : `${count} by ${algorithm}`,
    );
    const missing = this.#unverifiedFiles;
    return isVerifying && missing > 0 ? [...counts, `${missing} without a checksum`] : counts;
  }
}

function kindOf({ status, reason, link, resumed }: Result) {
  if (reason === "link") return "leftOut";
  if (status !== "done") return status;
  if (link !== undefined) return "links";
  return resumed === undefined ? undefined : "files";
}

/** The total of a run, counted in constant memory: its last messages. */
import type { Result } from "../documents/result.ts";
import { isDiskFull } from "../files/file-error.ts";
import { counted, formatDuration, formatOctets, formatRate } from "../text/units.ts";

/** Most documents whose failures are not shown again: they are still on the screen. */
const few = 5;

const mostShown = 20;

/** A rate over a shorter time means nothing. */
const leastSeconds = 0.1;

/** Counts results in constant memory. */
export class Tally {
  #documents = 0;
  #files = 0;
  #links = 0;
  #leftOut = 0;
  #skipped = 0;
  #failed = 0;
  #deleted = 0;
  /** Failures that aren't shown again: by a full disk, after which the run ends, and those of no document. */
  #unrepeated = 0;
  #octets = 0;
  readonly #verified = new Map<string, number>();
  /** Files, fetched or skipped, that no checksum verified; a failed one doesn't count. */
  #unverified = 0;
  readonly #failures: string[] = [];

  get count(): number {
    const done = this.#files + this.#links + this.#deleted;
    return done + this.#skipped + this.#leftOut + this.#failed;
  }

  add(result: Result): void {
    const { status, url, place, error, octets = 0, resumed, verified, reason, isLink } = result;
    if (status === "deleted") return void this.#deleted++;
    if (status !== "failed" || url !== undefined) this.#documents++;
    if (reason === "link") this.#leftOut++;
    else if (status === "skipped") this.#skipped++;
    else if (isLink) this.#links++;
    else if (status === "failed") {
      this.#failed++;
      const line = [place, url, error?.message].filter((part) => part !== undefined).join(": ");
      if (url === undefined || isDiskFull(error)) this.#unrepeated++;
      else if (this.#failures.length < mostShown) this.#failures.push(line);
    } else if (resumed !== undefined) {
      this.#files++;
      this.#octets += Math.max(0, octets - resumed);
    }
    const isFile = !isLink && reason !== "link" && (status === "skipped" || resumed !== undefined);
    if (verified !== undefined)
      this.#verified.set(verified.algorithm, (this.#verified.get(verified.algorithm) ?? 0) + 1);
    else if (isFile) this.#unverified++;
  }

  /**
   * The failures once more if there were many documents, and the total; `isVerifying`: with the
   * number of files without a checksum.
   */
  lines(seconds: number, isVerifying: boolean): string[] {
    return [...this.#failureLines(), this.#total(seconds, isVerifying)];
  }

  #failureLines(): string[] {
    const failed = this.#failed - this.#unrepeated;
    if (this.#documents <= few || failed === 0) return [];
    const more = failed - this.#failures.length;
    return [
      `${failed} of ${this.#documents} documents failed:`,
      ...this.#failures,
      ...(more === 0 ? [] : [`and ${more} more`]),
    ];
  }

  #total(seconds: number, isVerifying: boolean): string {
    const isMeasured = this.#octets > 0 && seconds >= leastSeconds;
    const rate = isMeasured ? ` (${formatRate(this.#octets / seconds)})` : "";
    const parts = [
      counted(this.#files, "file"),
      this.#links === 0 ? undefined : counted(this.#links, "link"),
      `${formatOctets(this.#octets)} in ${formatDuration(seconds)}${rate}`,
      this.#skipped === 0 ? undefined : `${this.#skipped} skipped`,
      this.#leftOut === 0 ? undefined : `${counted(this.#leftOut, "link")} left out`,
      this.#deleted === 0 ? undefined : `${this.#deleted} deleted`,
      this.#failed === 0 ? undefined : `${this.#failed} failed`,
      ...this.#verifiedParts(isVerifying),
    ];
    return `total: ${parts.filter((part) => part !== undefined).join(", ")}`;
  }

  #verifiedParts(isVerifying: boolean): string[] {
    const counts = [...this.#verified].map(([algorithm, count], index) =>
      index === 0 ? `${count} verified by ${algorithm}` : `${count} by ${algorithm}`,
    );
    const missing = this.#unverified;
    return isVerifying && missing > 0 ? [...counts, `${missing} without a checksum`] : counts;
  }
}

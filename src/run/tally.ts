/** The total of a run, counted in constant memory: its last message. */
import type { Result } from "../documents/result.ts";
import { counted, formatDuration, formatOctets, formatRate } from "../text/units.ts";

const leastSecondsForRate = 0.1;

export class Tally {
  readonly #counts = { files: 0, links: 0, skipped: 0, leftOut: 0, failed: 0 };
  #octets = 0;
  #verified = 0;
  #unverified = 0;

  get count(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count);
  }

  add(result: Result): void {
    const { octets = 0, resumed = 0, verified, link } = result;
    const kind = kindOf(result);
    if (kind !== undefined) this.#counts[kind]++;
    if (kind === "files") this.#octets += Math.max(0, octets - resumed);
    const isFile = kind === "files" || (kind === "skipped" && link === undefined);
    if (verified !== undefined) this.#verified++;
    else if (isFile) this.#unverified++;
  }

  total(seconds: number, isVerifying: boolean): string {
    const isMeasured = this.#octets > 0 && seconds >= leastSecondsForRate;
    const rate = isMeasured ? ` (${formatRate(this.#octets / seconds)})` : "";
    const { files, links, skipped, leftOut, failed } = this.#counts;
    const parts = [
      counted(files, "file"),
      links > 0 && counted(links, "link"),
      `${formatOctets(this.#octets)} in ${formatDuration(seconds)}${rate}`,
      skipped > 0 && `${skipped} skipped`,
      leftOut > 0 && `${counted(leftOut, "link")} left out`,
      failed > 0 && `${failed} failed`,
      this.#verified > 0 && `${this.#verified} verified`,
      isVerifying && this.#unverified > 0 && `${this.#unverified} without a checksum`,
    ];
    return `total: ${parts.filter(Boolean).join(", ")}`;
  }
}

function kindOf({ status, reason, link, resumed }: Result) {
  if (reason === "link") return "leftOut";
  if (status !== "done") return status;
  if (link !== undefined) return "links";
  return resumed === undefined ? undefined : "files";
}

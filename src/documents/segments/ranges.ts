/** The ranges of a file that connections still have to fetch, and the taking over of parts. Pure. */
import { type Gap, octetsIn } from "../../files/gaps.ts";

/** Each part costs some round trips: smaller ones aren't worth them. */
export const leastOctets = 1024 * 1024;

/** Only `Ranges` changes a range: `end` moves when other connections take over octets, or leave more. */
export interface Range {
  readonly position: number;
  readonly end: number;
  readonly isTaken: boolean;
}

type Entry = { -readonly [Key in keyof Range]: Range[Key] };

export class Ranges {
  #inOrder: Entry[];
  readonly #least: number;

  constructor(missing: readonly Gap[], parts: number, least = leastOctets) {
    this.#least = least;
    const share = Math.max(least, octetsIn(missing) / parts);
    const gaps = missing.flatMap((gap) => divide(gap, share, least));
    this.#inOrder = gaps.map(([position, end]) => ({ position, end, isTaken: false }));
  }

  get missing(): Gap[] {
    return this.#inOrder.flatMap(({ position, end }) => (position < end ? [[position, end]] : []));
  }

  get left(): number {
    return this.#inOrder.reduce((sum, entry) => sum + leftOf(entry), 0);
  }

  get isBusy(): boolean {
    return this.#inOrder.some(({ isTaken }) => isTaken);
  }

  has(start: number, end: number): boolean {
    return this.missing.every((gap) => gap[1] <= start || end <= gap[0]);
  }

  take(): Range | undefined {
    const entry = this.#inOrder.find(({ isTaken }) => !isTaken) ?? this.#half();
    if (entry !== undefined) entry.isTaken = true;
    return entry;
  }

  advance(range: Entry, octets: number): void {
    range.position = Math.min(range.position + octets, range.end);
  }

  extend(range: Entry): boolean {
    if (!range.isTaken) return false;
    const next = this.#inOrder[this.#inOrder.indexOf(range) + 1];
    if (next === undefined || next.isTaken || next.position !== range.end) return false;
    range.end = next.end;
    this.#remove(next);
    return true;
  }

  release(range: Entry): void {
    range.isTaken = false;
    if (range.position === range.end) this.#remove(range);
  }

  #half(): Entry | undefined {
    const [most] = this.#inOrder.toSorted((one, other) => leftOf(other) - leftOf(one));
    if (most === undefined || leftOf(most) < 2 * this.#least) return undefined;
    const middle = most.position + Math.floor(leftOf(most) / 2);
    const half = { position: middle, end: most.end, isTaken: false };
    most.end = middle;
    this.#inOrder.splice(this.#inOrder.indexOf(most) + 1, 0, half);
    return half;
  }

  #remove(entry: Entry): void {
    this.#inOrder = this.#inOrder.filter((one) => one !== entry);
  }
}

function leftOf({ position, end }: Range): number {
  return end - position;
}

function divide([start, end]: Gap, share: number, least: number): Gap[] {
  const octets = end - start;
  const most = Math.floor(octets / least);
  const parts = Math.max(1, Math.min(Math.round(octets / share), most));
  const border = (part: number): number => start + Math.floor((octets * part) / parts);
  return Array.from({ length: parts }, (_, part) => [border(part), border(part + 1)]);
}

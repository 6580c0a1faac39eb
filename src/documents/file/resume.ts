/**
 * Decides whether a transfer can build on stored octets, by what the server says of the document
 * now, and by the octets themselves. Pure.
 */
import { FtpullError } from "../../errors.ts";
import type { DocumentIdentity, PartialDocument } from "../../files/destination.ts";
import { type Gap, missingBehind } from "../../files/gaps.ts";
import type { FileFacts } from "../../ftp/document-steps.ts";
import type { Conversion } from "../../text/line-ends.ts";
import { BeginAgain } from "../retry.ts";

/** Octets before the restart offset that are fetched again and compared. */
export const overlapSize = 4096;

/** The server's facts differ from the earlier ones: stored octets are useless. */
class Changed extends BeginAgain {
  override readonly keeps = false;

  constructor() {
    super("the document has changed on the server");
  }
}

/**
 * How many octets of `document` are stored.
 * @throws BeginAgain if they are useless; ReplyError; FtpullError "integrity" for a longer file
 */
export function octetsToBuildOn(
  partial: PartialDocument,
  document: DocumentIdentity & FileFacts,
  conversion: Conversion,
): number {
  if (conversion !== "none") throw new BeginAgain("a text that is converted can't be continued");
  if (document.failure !== undefined) throw document.failure;
  // Only the count shows a server that says 350, begins at 0, and sends the same octets again.
  if (document.size === undefined) throw new BeginAgain("the server doesn't tell the size");
  if (partial.inPlace) checkPlainFile(partial.octets, document.size);
  else checkSame(partial, document);
  return partial.octets;
}

/** Where octets of a document of this size are missing. */
export function missingOf(partial: PartialDocument | undefined, size: number): readonly Gap[] {
  const { octets = 0, missing = missingBehind(octets, size) } = partial ?? {};
  return withEnd(missing, size);
}

/** The last octet is always missing, so that the server is asked for the end of the file. */
export function withEnd(missing: readonly Gap[], size: number): readonly Gap[] {
  return missing.length === 0 ? [[size - 1, size]] : missing;
}

/** A fact that only one side has is no change. @throws BeginAgain when a fact differs */
export function checkUnchanged(now: FileFacts, before: FileFacts): void {
  const isChanged =
    differ(now.size, before.size) || differ(now.modified?.getTime(), before.modified?.getTime());
  if (isChanged) throw new Changed();
}

function differ(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** Whether size and time are equal, or unknown on both sides. */
export function isSame(now: FileFacts, before: FileFacts): boolean {
  return now.size === before.size && now.modified?.getTime() === before.modified?.getTime();
}

/** As in wget, the size alone makes a file without a state the document's beginning. */
function checkPlainFile(octets: number, size: number): void {
  if (octets <= size) return;
  const text = `the file here has ${octets} octets, the server's ${size}: it can't be continued`;
  const hint = "replace it with -f, or keep both by leaving out -c";
  throw new FtpullError("integrity", text, { hint });
}

function checkSame({ octets, document: here }: PartialDocument, now: DocumentIdentity): void {
  // Without a size, the octets may be those of a converted text.
  if (here?.size === undefined) throw new BeginAgain("nothing is known of the partial file here");
  if (here.url !== now.url) throw new BeginAgain(`the partial file here is from ${here.url}`);
  if (octets > (now.size ?? octets)) throw new Changed();
  checkUnchanged(now, here);
}

/**
 * The octets before a restart offset, which are fetched again: different ones mean another
 * document, or a server that answered 350 to REST and began at 0.
 */
export class Overlap {
  readonly #length: number;
  readonly #compare: (octets: Buffer, at: number) => void;
  #passed = 0;

  /** `compare` gets the first `length` octets, as they come, with their offset among them. */
  constructor(length: number, compare: (octets: Buffer, at: number) => void) {
    this.#length = length;
    this.#compare = compare;
  }

  get done(): boolean {
    return this.#passed === this.#length;
  }

  /** Compares the beginning of a chunk and returns the rest, which may be empty. */
  pass(chunk: Buffer): Buffer {
    if (this.done) return chunk;
    const at = this.#passed;
    const overlapping = chunk.subarray(0, this.#length - at);
    this.#passed += overlapping.length;
    this.#compare(overlapping, at);
    return chunk.subarray(overlapping.length);
  }
}

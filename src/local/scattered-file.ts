/**
 * ScatteredFile: a partial file that is written in several places at once. Its note says what is
 * missing, and never less than that: it is written behind the octets.
 */
import type { DocumentIdentity, PartialDocument, Scattered } from "./destination.ts";
import { FileWriter } from "./file-writer.ts";
import { endOfRest, octetsIn, type Gap } from "./gaps.ts";
import { writeState } from "./part-state.ts";

export class ScatteredFile implements Scattered {
  readonly #fd: number;
  readonly #part: string;
  readonly #document: DocumentIdentity;
  readonly #writers: FileWriter[] = [];

  /** `fd` is open for writing, and stays its owner's. */
  constructor(fd: number, part: string, document: DocumentIdentity) {
    this.#fd = fd;
    this.#part = part;
    this.#document = document;
  }

  writerAt(position: number): FileWriter {
    const writer = new FileWriter(this.#fd, `"${this.#part}"`, position);
    this.#writers.push(writer);
    return writer;
  }

  save(missing: readonly Gap[]): void {
    writeState(this.#part, this.#document, missing);
  }

  async idle(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.idle()));
  }
}

/** What a file of `length` octets holds of a document; undefined when it holds nothing of it. */
export function scatteredPartial(
  document: DocumentIdentity,
  missing: readonly Gap[],
  length: number,
): PartialDocument | undefined {
  const { size = 0 } = document;
  // Somebody cut the file, or a power failure did: nothing is known of what is left.
  if (endOfRest(missing, size) > length)
    return { octets: length, document: undefined, inPlace: false };
  const octets = size - octetsIn(missing);
  return octets === 0 ? undefined : { octets, missing, document, inPlace: false };
}

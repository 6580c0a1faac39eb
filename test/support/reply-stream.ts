/** Carries replies to the client, cut into the TCP segments that a test asks for. */

import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface Cutting {
  split?: readonly number[] | undefined;
  chunk?: number | undefined;
}

/** Long enough for a client on the same machine to read the octets that were sent before. */
const gapMs = 2;

export class ReplyStream {
  socket: Socket;
  sent = 0;
  readonly #cutting: Cutting;
  #written: Promise<void> = Promise.resolve();

  constructor(socket: Socket, cutting: Cutting) {
    this.socket = socket;
    this.#cutting = cutting;
  }

  write(octets: Buffer): Promise<void> {
    this.#written = this.#written.then(() => this.#writeSegments(octets));
    return this.#written;
  }

  async #writeSegments(octets: Buffer): Promise<void> {
    const segments = this.#cut(octets);
    for (const [index, segment] of segments.entries()) {
      if (index > 0) await delay(gapMs);
      await this.#writeSegment(segment);
    }
  }

  #writeSegment(segment: Buffer): Promise<void> {
    this.sent += segment.length;
    // An error means that the client has left, as it may.
    return new Promise((resolve) => this.socket.write(segment, () => resolve()));
  }

  #cut(octets: Buffer): Buffer[] {
    const { split = [], chunk = octets.length } = this.#cutting;
    const places = split.map((place) => place - this.sent);
    const inside = places.filter((place) => place > 0 && place < octets.length);
    const begins = [0, ...inside.toSorted((one, other) => one - other)];
    const parts = begins.map((begin, index) => octets.subarray(begin, begins[index + 1]));
    return parts.flatMap((part) => chunksOf(part, chunk));
  }
}

function chunksOf(octets: Buffer, size: number): Buffer[] {
  const count = Math.ceil(octets.length / size);
  return Array.from({ length: count }, (_, i) => octets.subarray(i * size, (i + 1) * size));
}

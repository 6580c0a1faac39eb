/** Changes the octets of a transfer, and their pace, as a test wants it. */

import { setTimeout as delay } from "node:timers/promises";

/**
 * A transfer's octets. `content` replaces the document's, in any type; the client reads elements of a list one
 * by one. Only the `first` octets are sent, at `rate` octets per second. `pause` sends `after` octets; the
 * others follow when the promise is fulfilled, or the client has read the first ones.
 */
export interface Shape {
  content?: string | Buffer | readonly (string | Buffer)[];
  first?: number;
  extra?: string | Buffer;
  rate?: number;
  pause?: { after: number; until: Promise<unknown> | "read" };
}

interface Receiver {
  readonly closed: Promise<void>;
  untilRead(): Promise<void>;
}

type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Yields the pieces to send, each at its time. The end of the connection ends pauses. */
export async function* shaped(
  document: Iterable<Buffer>,
  shape: Shape,
  receiver: Receiver,
): AsyncGenerator<Buffer> {
  const { content, first = Infinity, extra, rate, pause } = shape;
  const whole = content === undefined ? document : separate(content);
  const shortened = firstOf(whole, first);
  const interrupted = pause === undefined ? shortened : paused(shortened, pause, receiver);
  yield* rate === undefined ? interrupted : slowed(interrupted, rate);
  if (extra !== undefined) yield Buffer.from(extra);
}

async function* separate(content: NonNullable<Shape["content"]>): AsyncGenerator<Buffer> {
  const parts = typeof content === "string" || Buffer.isBuffer(content) ? [content] : content;
  for (const [index, part] of parts.entries()) {
    if (index > 0) await delay(5);
    yield Buffer.from(part);
  }
}

async function* firstOf(pieces: Pieces, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const piece of pieces) {
    if (left <= 0) return;
    yield piece.subarray(0, left);
    left -= piece.length;
  }
}

async function* paused(
  pieces: Pieces,
  { after, until }: NonNullable<Shape["pause"]>,
  receiver: Receiver,
): AsyncGenerator<Buffer> {
  let leftBefore = after;
  let isOver = false;
  for await (const piece of pieces) {
    if (isOver) yield piece;
    else if (piece.length < leftBefore) {
      yield piece;
      leftBefore -= piece.length;
    } else {
      yield piece.subarray(0, leftBefore);
      await Promise.race([until === "read" ? receiver.untilRead() : until, receiver.closed]);
      isOver = true;
      yield piece.subarray(leftBefore);
    }
  }
}

async function* slowed(pieces: Pieces, rate: number): AsyncGenerator<Buffer> {
  const perStep = Math.max(1, Math.round(rate / 20));
  const begun = performance.now();
  let sent = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += perStep) {
      const step = piece.subarray(at, at + perStep);
      yield step;
      sent += step.length;
      await delay(begun + (sent / rate) * 1000 - performance.now());
    }
  }
}

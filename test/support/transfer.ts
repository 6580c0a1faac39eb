/** Sends a document over a data connection: as a good server does, or as badly as a test wants it. */

import { setTimeout as delay } from "node:timers/promises";
import type { DataConnection } from "./data.ts";
import { type Action, type Exchange, perform } from "./script.ts";

/** How a transfer departs from a good one. */
export interface TransferScript {
  /** Sent as it is in the document's stead, whatever the type; each element of a list in a read of its own. */
  content?: string | Buffer | readonly (string | Buffer)[];
  /** Only so many octets of what would have been sent. */
  first?: number;
  /** Sent after all others. */
  extra?: string | Buffer;
  /** Octets a second; default: as fast as they go. */
  rate?: number;
  /** Sends so many octets, and the others when the promise is fulfilled. */
  pause?: { after: number; until: Promise<unknown> };
  /**
   * How the data connection ends: in order, by FIN without TLS's close_notify, by RST, or not
   * at all until the client closes it.
   */
  end?: "fin" | "cut" | "reset" | "stall";
  /** Before the data connection is used; default is the reply 150. */
  preliminary?: Action;
  /** After the data connection ended; default is the reply 226, or 426 when the client ended it. */
  completion?: Action;
  /** Whether the completion comes before the data. */
  early?: boolean;
}

/** Runs one transfer from its preliminary to its completion. */
export async function runTransfer(
  exchange: Exchange,
  document: Iterable<Buffer>,
  script: TransferScript = {},
): Promise<void> {
  await perform(script.preliminary ?? "150 Opening data connection", exchange);
  const connection = await exchange.session.openData();
  if (!connection) return await exchange.session.reply("425 Cannot open the data connection");
  if (script.early) await complete(exchange, script, true);
  const whole = await sendDocument(exchange, connection, document, script);
  await endData(connection, script.end ?? "fin");
  if (!script.early) await complete(exchange, script, whole);
}

async function complete(exchange: Exchange, script: TransferScript, whole: boolean): Promise<void> {
  const usual = whole && script.end !== "stall" ? "226 Transfer complete" : "426 Transfer aborted";
  await perform(script.completion ?? usual, exchange);
}

async function sendDocument(
  exchange: Exchange,
  connection: DataConnection,
  document: Iterable<Buffer>,
  script: TransferScript,
): Promise<boolean> {
  for (const piece of shaped(document, script)) {
    await (piece instanceof Promise ? piece : connection.send(piece));
    if (!connection.open) return false;
    exchange.session.context.journal.dataSent();
    if (script.rate && Buffer.isBuffer(piece)) await delay((piece.length / script.rate) * 1000);
  }
  return connection.open;
}

async function endData(
  connection: DataConnection,
  end: NonNullable<TransferScript["end"]>,
): Promise<void> {
  if (end === "fin") await connection.end();
  if (end === "cut") connection.cut();
  if (end === "reset") await connection.reset();
  if (end === "stall") await connection.closed;
}

/** The octets to send in pieces, and the promises to wait for between them. */
function* shaped(
  document: Iterable<Buffer>,
  script: TransferScript,
): Generator<Buffer | Promise<unknown>> {
  const all = script.content === undefined ? document : separate(script.content);
  const some = firstOf(all, script.first ?? Infinity);
  yield* script.pause ? paused(some, script.pause) : some;
  if (script.extra !== undefined) yield Buffer.from(script.extra);
}

function* separate(content: NonNullable<TransferScript["content"]>) {
  const parts = typeof content === "string" || Buffer.isBuffer(content) ? [content] : content;
  for (const [index, part] of parts.entries()) {
    if (index > 0) yield delay(5);
    yield Buffer.from(part);
  }
}

type Piece = Buffer | Promise<unknown>;

function* firstOf(pieces: Iterable<Piece>, count: number): Generator<Piece> {
  let left = count;
  for (const piece of pieces) {
    if (left <= 0) return;
    yield Buffer.isBuffer(piece) ? piece.subarray(0, left) : piece;
    if (Buffer.isBuffer(piece)) left -= piece.length;
  }
}

function* paused(
  pieces: Iterable<Piece>,
  { after, until }: { after: number; until: Promise<unknown> },
): Generator<Piece> {
  let left = after;
  for (const piece of pieces) {
    const reached = Buffer.isBuffer(piece) && left >= 0 && piece.length > left;
    if (reached) {
      yield piece.subarray(0, left);
      yield until;
      yield piece.subarray(left);
    } else yield piece;
    if (Buffer.isBuffer(piece)) left -= reached ? Infinity : piece.length;
  }
}

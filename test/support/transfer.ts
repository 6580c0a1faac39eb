/** Sends a document over a data connection: as a good server does, or as badly as a test wants it. */

import type { DataConnection } from "./data-connection.ts";
import { type Action, type Exchange, perform } from "./script.ts";
import { type Shape, shaped } from "./shaping.ts";

export interface TransferScript extends Shape {
  /**
   * The data connection's end: "fin" is in order, "both" as well, and the completion waits for the client's end;
   * "cut" is FIN without TLS's close_notify, "reset" is RST, and "stall" waits until the client ends the connection.
   */
  end?: "fin" | "both" | "cut" | "reset" | "stall";
  /**
   * Action before the data connection is used; default: the reply 150. `completion` comes after the data, or
   * before them if `early`; default: reply 226, or 426 if the client ended the connection.
   */
  preliminary?: Action;
  completion?: Action;
  early?: boolean;
}

export async function runTransfer(
  exchange: Exchange,
  document: Iterable<Buffer>,
  script: TransferScript = {},
): Promise<void> {
  const { session } = exchange;
  if (!session.data.isPrepared) return await session.reply("425 Send EPSV or PASV first");
  await perform(script.preliminary ?? "150 Opening data connection", exchange);
  const connection = await session.openData();
  if (typeof connection === "string") return await session.reply(connection);
  if (script.early) await complete(exchange, script, { isWhole: true });
  const isWhole = await sendDocument(exchange, connection, document, script);
  await endData(connection, script.end ?? "fin");
  if (!script.early) await complete(exchange, script, { isWhole });
}

async function complete(
  exchange: Exchange,
  script: TransferScript,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  const isDone = isWhole && script.end !== "stall";
  const usual = isDone ? "226 Transfer complete" : "426 Transfer aborted";
  await perform(script.completion ?? usual, exchange);
}

async function sendDocument(
  exchange: Exchange,
  connection: DataConnection,
  document: Iterable<Buffer>,
  script: TransferScript,
): Promise<boolean> {
  const { journal } = exchange.session.context;
  for await (const piece of shaped(document, script, connection)) {
    if (piece.length > 0) journal.dataSent();
    await connection.send(piece);
    if (!connection.isOpen) return false;
  }
  journal.dataSent();
  return connection.isOpen;
}

async function endData(
  connection: DataConnection,
  end: NonNullable<TransferScript["end"]>,
): Promise<void> {
  if (end === "fin" || end === "both") await connection.end();
  if (end === "cut") connection.endTcp();
  if (end === "reset") await connection.reset();
  if (end === "stall" || end === "both") await connection.closed;
}

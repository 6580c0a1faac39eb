/**
 * A data connection to where the server listens, in clear text: the fast way, in which every
 * read goes into the same buffer.
 */
import { connect } from "node:net";
import {
  BrokenData,
  type DataConnection,
  type DataEnd,
  type Feed,
  feed,
  type Sink,
  watch,
} from "./data-connection.ts";

export interface PassiveOptions {
  readonly host: string;
  readonly port: number;
  /** The longest time without an octet, connecting included. */
  readonly timeoutMs: number;
  /** Reused for every read; a large one saves system calls. */
  readonly buffer: Buffer;
}

/** Connects to where the server listens and hands what it sends to `sink`. */
export function connectData(options: PassiveOptions, sink: Sink): DataConnection {
  const { host, port, timeoutMs, buffer } = options;
  let receive: Feed["receive"] = () => false;
  const callback = (length: number): boolean => receive(buffer.subarray(0, length));
  const socket = connect({ host, port, onread: { buffer, callback } });
  const ended = new Promise<DataEnd>((resolve, reject) => {
    const sinkFeed = feed(socket, sink, timeoutMs, reject);
    receive = sinkFeed.receive;
    watch(socket, `port ${port} of ${host}`, timeoutMs, reject);
    socket.on("end", () => sinkFeed.idle().then(() => resolve({ truncatable: false }), reject));
    socket.on("close", () =>
      sinkFeed.idle().then(() => reject(new BrokenData("the data connection was closed")), reject),
    );
  });
  // Whoever sent the command learns of a failure first from the reply; this one is looked at later.
  ended.catch(() => socket.destroy());
  return { ended, abort: (reason) => socket.destroy(reason) };
}

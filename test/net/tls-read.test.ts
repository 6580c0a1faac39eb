/** Reading what TLS decrypts where Node has nothing for a buffer of ours. */
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { expect, it } from "vitest";
import { readDecrypted } from "../../src/net/tls-read.ts";

it("what came before and what comes later is passed on in order, also with Node's buffers", async () => {
  const stream = new PassThrough();
  const taken = new PassThrough();
  stream.write("one ");
  stream.write("two ");
  readDecrypted(stream as unknown as TLSSocket, (chunk) => void taken.write(chunk));
  stream.on("end", () => taken.end());
  stream.end("three");
  expect((await buffer(taken)).toString()).toBe("one two three");
});

/** Stores a file that a proxy sends by GET: each try begins at 0, and nothing is kept of one that fails. */
import type { GotFile } from "../../ftp/proxy-file.ts";
import type { Tries } from "../task-tries.ts";
import { Incoming } from "./incoming.ts";
import type { Output } from "./output.ts";

/** Returns the number of bytes. @throws FtpullError */
export async function storeGotFile(file: GotFile, output: Output, tries: Tries): Promise<number> {
  const { destination, download } = output;
  const { size, modified } = file;
  output.choose({ url: download.document.shownUrl, size, modified });
  const facts = { size, modified, source: "server" } as const;
  const bytes = { facts, beginning: { offset: 0 }, conversion: "none", isInOrder: true } as const;
  const incoming = new Incoming(output, tries, bytes);
  try {
    await file.receive(async (chunk) => {
      await incoming.write(incoming.octets, chunk);
      incoming.advance(chunk.length);
    });
    return await incoming.publish();
  } catch (error) {
    // Bytes on standard output stay counted: no try can begin again behind them.
    if (destination.rewindable) await destination.discard();
    throw error;
  }
}

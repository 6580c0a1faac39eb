/** Stores a file that a proxy sends by GET: each try begins at 0, and nothing is kept of one that fails. */
import { toFtpullError } from "../../errors.ts";
import type { GotFile } from "../../ftp/get-file.ts";
import type { Tries } from "../task-tries.ts";
import type { Download } from "./download.ts";
import { Incoming } from "./incoming.ts";

/** Returns the number of bytes. @throws FtpullError */
export async function getFile(download: Download, file: GotFile, tries: Tries): Promise<number> {
  const { output, document } = download;
  const { destination } = output;
  const version = { url: document.shownUrl, size: file.size, modified: file.modified };
  const incoming = new Incoming({
    download,
    tries,
    version,
    beginning: { offset: 0 },
    conversion: "none",
    isInOrder: true,
  });
  try {
    await file.receive(async (chunk) => {
      await incoming.write(incoming.octets, chunk);
      incoming.advance(chunk.length);
    });
    return await incoming.publish();
  } catch (thrown) {
    const error = toFtpullError(thrown);
    const { label, rewindable } = destination; // before it is emptied
    await destination.discard();
    if (rewindable || !error.transient) throw error;
    const message = `${error.message}; on ${label} it can't begin again`;
    throw error.with({ kind: "integrity", message, transient: false });
  }
}

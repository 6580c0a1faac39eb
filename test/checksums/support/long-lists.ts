/** Lists of 100 MB, read in a process of their own whose memory is measured; each call returns the reader. */
import { ChecksumList } from "../../../src/checksums/checksum-list.ts";
import { ListReader } from "../../../src/checksums/list-reader.ts";

const md5 = "d41d8cd98f00b204e9800998ecf8427e";

export function aListForOtherDocuments(): ChecksumList {
  const list = new ChecksumList("SUMS", "SUMS", (path) => path.startsWith("wanted"));
  const others = `${md5}  ${"n".repeat(10_000)}\n`.repeat(100);
  for (let round = 0; round < 100; round++)
    list.read(Buffer.from(`${md5}  wanted-${round}\n${others}`));
  if ([...list.paths()].length !== 100) throw new Error("wanted documents are missing");
  return list;
}

export function aLineWithoutEnd(): ListReader {
  const reader = new ListReader("SUMS", () => {});
  const piece = Buffer.alloc(65536, "x");
  for (let octets = 0; octets < 1e8; octets += piece.length) reader.read(piece.toString());
  return reader;
}

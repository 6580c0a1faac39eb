/** Lists of 100 MB, read in a process of their own whose memory is measured; each call returns the list. */
import { ChecksumList } from "../../../src/checksums/checksum-list.ts";

/** The longest list: 400,000 lines with sha256. */
export function aLongList(): ChecksumList {
  const list = new ChecksumList("SUMS", "SUMS");
  for (let at = 0; at < 400_000; at += 100) {
    const line = (index: number): string =>
      `${String(index).padStart(64, "0")}  pool/main/package_${index}.deb\n`;
    list.read(Buffer.from(Array.from({ length: 100 }, (_, index) => line(at + index)).join("")));
  }
  list.end();
  return list;
}

export function aLineWithoutEnd(): ChecksumList {
  const list = new ChecksumList("SUMS", "SUMS");
  const piece = Buffer.alloc(65536, "x");
  for (let octets = 0; octets < 1e8; octets += piece.length) list.read(piece);
  return list;
}

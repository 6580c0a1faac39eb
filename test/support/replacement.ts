/** A replacement of a file: of the same length, with one octet changed in each MiB. */
export function replacementOf(octets: Buffer): Buffer {
  const mebibyte = 2 ** 20;
  const changed = Buffer.from(octets);
  for (let at = mebibyte / 3; at < changed.length; at += mebibyte) changed[Math.floor(at)]! ^= 0xff;
  return changed;
}

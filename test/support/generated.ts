/** Large contents that need no storage: each octet follows from the seed and its position. */

const blockSize = 65_521;

/** Octets of the endless content of `seed`. Each block begins with its number, so a wrong offset shows. */
export function generatedOctets(seed: number, start: number, end: number): Buffer {
  const noise = noiseOf(seed);
  const octets = Buffer.allocUnsafe(Math.max(0, end - start));
  for (let at = start; at < end;) {
    const block = Math.floor(at / blockSize);
    noise.writeUInt32BE(block, 0);
    const copied = noise.copy(octets, at - start, at - block * blockSize, blockSize);
    at += copied;
  }
  return octets;
}

const noises = new Map<number, Buffer>();

function noiseOf(seed: number): Buffer {
  const known = noises.get(seed) ?? xorshift(seed);
  noises.set(seed, known);
  return known;
}

function xorshift(seed: number): Buffer {
  let state = (seed ^ 0x9e3779b9) | 1;
  const octets = Buffer.alloc(blockSize);
  for (const place of octets.keys()) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    octets[place] = state & 0xff;
  }
  return octets;
}

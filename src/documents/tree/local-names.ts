/**
 * The local names of a directory's entries. Most are the entries' own names; where one had to be
 * changed, or the file system ignores case, another entry may have it already.
 */

/**
 * For all entries of a directory, where equal keys stand for one file: gives the entry that has the local
 * name of this one; itself, if no other has.
 */
export function ownersAmong(
  names: Iterable<string>,
  keyOf: (octets: string) => string,
): (octets: string) => string {
  /** The first entry of each local name that more than one entry could have. */
  const owners = new Map<string, string>();
  for (const octets of names) {
    const key = keyOf(octets);
    if (key !== octets) owners.set(key, owners.get(key) ?? octets);
  }
  return (octets) => owners.get(keyOf(octets)) ?? octets;
}

/** Whether names may differ by case alone, by their hashes: a directory may have a million names. */
export function haveCaseTwins(
  names: Iterable<string>,
  localName: (octets: string) => string,
): boolean {
  const hashes = new Set<number>();
  for (const name of names) {
    let hash = 0;
    for (const char of withoutCase(localName(name)))
      hash = (Math.imul(hash, 31) + char.codePointAt(0)!) | 0;
    if (hashes.has(hash)) return true;
    hashes.add(hash);
  }
  return false;
}

/** Different letters may be one in capitals: "ß" and "ss". */
export function withoutCase(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

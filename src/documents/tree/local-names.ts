/** The local names of a directory's entries: most are the entries' own; where one had to be changed, another may have it. */

/** Gives, for each of these names, the one that has its local name: itself, if no other has. */
export function ownersAmong(
  names: Iterable<string>,
  localName: (octets: string) => string,
): (octets: string) => string {
  /** The first entry of each local name that more than one entry could have. */
  const owners = new Map<string, string>();
  for (const octets of names) {
    const name = localName(octets);
    if (name !== octets) owners.set(name, owners.get(name) ?? octets);
  }
  return (octets) => owners.get(localName(octets)) ?? octets;
}

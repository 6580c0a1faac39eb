/** Local names of a directory's entries: a name that had to be changed may then be another entry's, too. */

/** Returns a function that maps a name to the entry that gets its local name, mostly the name itself. */
export function ownersAmong(
  names: Iterable<string>,
  localName: (octets: string) => string,
): (octets: string) => string {
  const owners = new Map<string, string>();
  for (const octets of names) {
    const name = localName(octets);
    if (name !== octets) owners.set(name, owners.get(name) ?? octets);
  }
  return (octets) => owners.get(localName(octets)) ?? octets;
}

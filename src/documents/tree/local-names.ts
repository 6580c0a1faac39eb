/** Local names of a directory's entries: where a name had to be changed, another entry may have the result. */

/** Returns a function that gives the owner of a name's local name: the name itself, if no other has it. */
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

/** Tables in a text: a row a line, columns with " | " between them. */

export function rowsOf(table: string): string[][] {
  const lines = table.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines.map((line) => line.split(" | "));
}

export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|[^ ]+/g)].map(([word, quoted]) => quoted ?? word);
}

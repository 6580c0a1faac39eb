/** Whether a server says that it has not listed everything. No document defines how. */

const things = "(?:matches|entries|files|names|lines|items|results|records|directories|objects)";

/** A number of things, and not one for each day or for each user. */
const count = `[\\d.,']*\\d (?:\\w+ )?${things}\\b(?! (?:per|an?|each|every|for)\\b)`;

const cut = new RegExp(
  [
    "(?<!\\b(?:not|never|without being|isn't|wasn't) )\\btruncated\\b",
    `\\bfirst ${count}`,
    `\\blimit(?:ed)? (?:to|of|is|at)?:? ?${count}`,
    `\\b(?:maximum|max\\.?|at most|no more than) (?:of )?${count}`,
    "\\b(?:listing|output|list|directory) (?:is |was )?(?:incomplete|limited|cut)\\b",
    "\\b(?:incomplete|partial) (?:listing|output|list|directory)\\b",
    "\\b(?:entry|listing|file|match|output) limit (?:was )?(?:reached|exceeded)\\b",
  ].join("|"),
  "i",
);

/**
 * Whether the reply that ends a listing says that it was cut: `226 Output truncated to 2000
 * matches`. Names in quotes and with slashes are no words of the server, nor are speeds.
 */
export function saysCut(lines: readonly string[]): boolean {
  const words = lines.join(" ").replaceAll(/"[^"]*"|\S*\/\S*/g, "...");
  return cut.test(words.replaceAll(/\s+/g, " "));
}

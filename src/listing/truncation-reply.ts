/**
 * Recognises replies that report a listing cut short, or a directory that was not read: no standard defines them.
 * Quoted names, paths and rates are ignored.
 */

const entries = "(?:matches|entries|lines|items|results|records)";
const things = `(?:${entries}|files|names|directories|objects)`;

const numberOf = (what: string): string =>
  `[\\d.,']*\\d (?:\\w+ )?${what}\\b(?! (?:per|an?|each|every|for)\\b)`;

/**
 * Words about a listing, first those of Pure-FTPd and vsftpd; limits of quotas, downloads, uploads, users and
 * speeds don't count.
 */
const cut = new RegExp(
  [
    "\\b(?:listing|output|list|directory) (?:(?:is|was|has been) )?truncated\\b",
    "\\bfailed to open directory\\b",
    "\\bunable to read\\b",
    "\\btruncated (?:listing|output|list|directory)\\b",
    `\\btruncated (?:to|at|after) ${numberOf(things)}`,
    "\\(truncated\\)|^(?:\\d+[ -])?truncated\\W*$",
    `\\b(?:only|showing|displaying|listing) (?:the )?first ${numberOf(things)}`,
    `\\bfirst ${numberOf(entries)}`,
    `(?<!\\byour )\\blimit(?:ed)? (?:to|of|is|at)?:? ?${numberOf(entries)}`,
  ].join("|"),
  "i",
);

export function saysCut(lines: readonly string[]): boolean {
  const words = lines.join(" ").replaceAll(/"[^"]*"|(?<!\S)\S*\/\S*/g, "...");
  return cut.test(words.replaceAll(/\s+/g, " "));
}

/** Recognises replies that report a truncated listing; no standard defines them. */

const entries = "(?:matches|entries|lines|items|results|records)";
const things = `(?:${entries}|files|names|directories|objects)`;
const listing = "(?:listing|output|list|directory|matches|entries|results)";
const number = "[\\d.,']*\\d";
const shown = "(?:(?:is|are|was|were) )?(?:listed|shown|displayed)\\b";

/** Such as "2000 matches", but not "10 files per day". */
const numberOf = (what: string): string =>
  `${number} (?:\\w+ )?${what}\\b(?! (?:per|an?|each|every|for)\\b)`;

/** Words about a listing: limits of quotas, downloads, uploads and users are none of it. */
const cut = new RegExp(
  [
    `\\b${listing} (?:(?:is|are|was|were|has been|have been) )?(?:truncated|incomplete|limited|cut|stopped|aborted)\\b`,
    "\\b(?:truncated|incomplete|partial) (?:\\w+ )?(?:listing|output|list|directory)\\b",
    `\\btruncated (?:to|at|after) ${numberOf(things)}`,
    "\\(truncated\\)|^(?:\\d+[ -])?truncated\\W*$",
    `\\b(?:only|showing|displaying|listing) (?:the )?first ${numberOf(things)}`,
    `\\bfirst ${numberOf(entries)}`,
    `\\bthe first ${number} ${shown}`,
    `\\b(?:only|first|maximum of|max\\.?|at most|no more than) ${numberOf(things)} ${shown}`,
    `\\b(\\d+) of (?!\\1\\b)\\d+ (?:${things} )?${shown}`,
    "\\b(?:showing|displaying|displayed) (?:only )?(\\d+) of (?!\\2\\b)\\d+",
    `(?<!\\byour )\\blimit(?:ed)? (?:to|of|is|at)?:? ?${numberOf(entries)}`,
    "\\b(?:entry|listing|list|match|output) limit (?:was )?(?:reached|exceeded)\\b",
    "\\blist(?:ing)? (?:is |was )?too (?:long|large|big)\\b",
  ].join("|"),
  "i",
);

/** True for `226 Output truncated to 2000 matches`. Quoted names, paths and rates are ignored. */
export function saysCut(lines: readonly string[]): boolean {
  const words = lines.join(" ").replaceAll(/"[^"]*"|\S*\/\S*/g, "...");
  return cut.test(words.replaceAll(/\s+/g, " "));
}

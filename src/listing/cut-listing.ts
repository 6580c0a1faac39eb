/** Recognises replies that report a truncated listing; no standard defines them. */

const things = "(?:matches|entries|files|names|lines|items|results|records|directories|objects)";

/** Such as "2000 matches", but not "10 files per day". */
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

/** True for `226 Output truncated to 2000 matches`. Quoted names, paths and rates are ignored. */
export function saysCut(lines: readonly string[]): boolean {
  const words = lines.join(" ").replaceAll(/"[^"]*"|\S*\/\S*/g, "...");
  return cut.test(words.replaceAll(/\s+/g, " "));
}

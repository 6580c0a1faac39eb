/** Parses lines of MLSD (RFC 3659 §7). */
import { parseTimeVal } from "../text/time-val.ts";
import { type Entry, isBlank, parseSize, unreadEntry } from "./entry.ts";

/**
 * Facts, a space or a tab, and the name. Pure-FTPd's link targets may have spaces: the first one behind a semicolon
 * counts. Some servers omit the last semicolon, others begin with blanks.
 */
const mlsdLine = /^(?:[ \t]*([^ \t=;]+=.*?;)|([^ \t=]+=[^ \t]*)|)[ \t](.+)$/;

const dotNames: Record<string, string> = { cdir: ".", pdir: ".." };

export function parseMlsdLine(raw: string): Entry | undefined {
  if (isBlank(raw)) return undefined;
  const [, ended, facts = ended ?? "", name] = mlsdLine.exec(raw) ?? [];
  if (name === undefined) return unreadEntry(raw);
  const [, dots = ""] = /(?:^|;)type=([cp]dir)(?:;|$)/i.exec(facts) ?? [];
  return { raw, name: dotNames[dots.toLowerCase()] ?? name, ...readFacts(facts) };
}

function readFacts(text: string): Omit<Entry, "name" | "raw"> {
  const facts = valuesByFactName(text);
  const { type, target } = readType(facts.get("type") ?? "");
  const modified = parseTimeVal(facts.get("modify") ?? "");
  const mode = facts.get("unix.mode") ?? "";
  // A target with a semicolon is cut there: only names of facts, which have a "=", may follow.
  const isTargetCut = /;[^;=]+(?:;|$)/.test(text);
  return {
    type,
    target: isTargetCut ? undefined : target,
    size: parseSize(facts.get("size") ?? facts.get("sizd")), // "sizd" is Pure-FTPd's, for a directory
    modified,
    precision: modified === undefined ? "minute" : "exact",
    unique: facts.get("unique"),
    permissions: /^[0-7]+$/.test(mode) ? modeLetters(mode) : undefined,
    owner: facts.get("unix.ownername") ?? facts.get("unix.owner") ?? facts.get("unix.uid"),
    group: facts.get("unix.groupname") ?? facts.get("unix.group") ?? facts.get("unix.gid"),
  };
}

function valuesByFactName(text: string): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  for (const fact of text.split(";")) {
    const equals = fact.indexOf("=");
    const value = fact.slice(equals + 1);
    if (equals > 0 && value !== "") facts.set(fact.slice(0, equals).toLowerCase(), value);
  }
  return facts;
}

/** Links are `OS.unix=slink:/target` in RFC 3659's example, `OS.unix=symlink` in its erratum 1500. */
function readType(value: string): Pick<Entry, "type" | "target"> {
  const type = value.toLowerCase();
  if (type === "file") return { type: "file" };
  if (type === "dir") return { type: "directory" };
  const link = /^os\.unix=(?:slink|symlink)(?::|$)/.exec(type);
  if (link === null) return { type: "unknown" };
  const target = value.slice(link[0].length);
  return { type: "link", target: target === "" ? undefined : target };
}

const digitLetters = ["---", "--x", "-w-", "-wx", "r--", "r-x", "rw-", "rwx"] as const;

function modeLetters(mode: string): string {
  return `00${mode}`.slice(-3).replace(/./g, (digit) => digitLetters[Number(digit)] ?? "");
}

/** Finds links that lead in a circle, by the name that PWD shows, by equal entries, or by depth. */
import { createHash } from "node:crypto";
import { FtpullError } from "../../errors.ts";
import { DirectoryRefused, loginDirectoryOf, namesIn } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Directory } from "./directory.ts";
import { type Above, isAbove, targetAbove } from "./kept-links.ts";
import type { TreeEntry } from "./tree-listing.ts";

const mostLevels = 100;
const tooDeep = `it is more than ${mostLevels} levels deep: a link may lead in a circle`;
/** Links that every system follows in one pathname; some systems follow 40. */
const mostLinks = 32;

export class Circles {
  #hasCircle = false;
  /** True once PWD has shown two names: some servers show the same name everywhere. */
  #pwdNamesDiffer = false;

  /** Links in a circle multiply: once one is suspected, a directory "x" below another "x" is refused, too. */
  checkDepth({ cwds, level, above }: Directory): void {
    const isTooDeep = level > mostLevels;
    this.#hasCircle ||= isTooDeep;
    const isNamesake = above.some((one) => one.cwds.at(-1) === cwds.at(-1));
    if (isTooDeep || (this.#hasCircle && isNamesake))
      throw new FtpullError("protocol", `cannot list the directory: ${tooDeep}`);
  }

  /** Called when a directory was refused: below `mostLinks` levels, too many links may be the reason. */
  refused({ level }: Directory): void {
    this.#hasCircle ||= level > mostLinks;
  }

  twinAbove(directory: Directory, entries: readonly TreeEntry[]): Directory | undefined {
    return twinByUnique(directory, entries) ?? twinByLinks(directory, entries);
  }

  /**
   * The directory above to which `directory` leads back, if a link's text or PWD shows that. PWD names the top
   * and the targets of links; the names of other directories follow from their parent's.
   */
  async sameAbove(session: Session, directory: Directory): Promise<Above | undefined> {
    const byText = targetAbove(directory);
    if (byText !== undefined) return byText;
    const { isAlias, above } = directory;
    const pathname = isAlias
      ? await this.#askPathname(session, directory)
      : pathnameByParent(directory);
    directory.pathname = pathname;
    if (pathname === undefined) return undefined;
    const top = above.at(-1)?.pathname;
    if (isAlias && top !== undefined && isAbove(namesIn(pathname), namesIn(top)))
      return "above the top";
    return above.find((one) => one.pathname === pathname);
  }

  async #askPathname(session: Session, { cwds, above }: Directory): Promise<string | undefined> {
    const pathname = await session.enterByName(cwds);
    if (cwds.length === 0 || pathname === undefined) return pathname;
    if (!this.#pwdNamesDiffer)
      this.#pwdNamesDiffer = await showsOtherName(session, pathname, above[0]);
    return this.#pwdNamesDiffer ? pathname : undefined;
  }
}

async function showsOtherName(
  session: Session,
  pathname: string,
  parent: Directory | undefined,
): Promise<boolean> {
  const login = loginDirectoryOf(session.state);
  if (login !== undefined && login !== pathname) return true;
  const example = parent && exampleOf(parent);
  if (example === undefined) return false;
  const other = await session.enterByName(example).catch(unlessRefused);
  return other !== undefined && other !== pathname;
}

function pathnameByParent({ above, cwds }: Directory): string | undefined {
  const parent = above[0]?.pathname;
  return parent && `${parent.replace(/\/$/, "")}/${cwds.at(-1)}`;
}

function twinByUnique(
  { above, place }: Directory,
  entries: readonly TreeEntry[],
): Directory | undefined {
  const unique = place.entry?.unique;
  if (!unique) return undefined; // Some servers send the fact without a value.
  const namesake = above.find((one) => one.place.entry?.unique === unique);
  if (namesake?.listing === undefined) return undefined;
  return digestOf(namesake.listing.entries) === digestOf(entries) ? namesake : undefined;
}

/** The parent, if it and `directory` are links, and the entries of both equal those of the directory above. */
function twinByLinks(directory: Directory, entries: readonly TreeEntry[]): Directory | undefined {
  if (!entries.some(({ type }) => type === "link")) return undefined;
  directory.digest = digestOf(entries);
  const [parent, grandparent] = directory.above;
  const areLinks = [directory, parent].every((one) => one?.place.entry?.type === "link");
  const areEqual = [parent, grandparent].every((one) => one?.digest === directory.digest);
  return areLinks && areEqual ? parent : undefined;
}

function digestOf(entries: readonly TreeEntry[]): string {
  const hash = createHash("sha1");
  for (const { type, name, size, seconds } of entries)
    hash.update(`${type}/${name}/${size}/${seconds}\n`);
  return hash.digest("base64");
}

/** CWDs to a directory that is no link: this one, or one inside it. */
function exampleOf({ cwds, isAlias, listing }: Directory): readonly string[] | undefined {
  if (!isAlias) return cwds;
  const entry = listing?.entries.find(({ type }) => type === "directory");
  return entry && [...cwds, entry.name];
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof DirectoryRefused)) throw error;
}

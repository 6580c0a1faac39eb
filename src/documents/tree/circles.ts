/** Finds links that lead in a circle, by the name that PWD shows, by equal entries, or by depth. */
import { createHash } from "node:crypto";
import { FtpullError } from "../../errors.ts";
import { DirectoryRefused, loginDirectoryOf, namesIn } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Directory } from "./directory.ts";
import { isAbove, targetAbove } from "./kept-links.ts";
import type { TreeEntry } from "./tree-listing.ts";

/** Largest depth of a tree: a deeper directory is taken for a circle that PWD doesn't show. */
const mostLevels = 100;
const tooDeep = `it is more than ${mostLevels} levels deep: a link may lead in a circle`;
/** Links that every system follows in one pathname; some follow 40. */
const mostLinks = 32;

export class Circles {
  #pwdNamesDiffer = false;
  #hasCircle = false;

  /** Links in a circle multiply: once one is suspected, a directory "x" below another "x" is refused, too. */
  checkDepth({ cwds, level, above }: Directory): void {
    const isTooDeep = level > mostLevels;
    this.#hasCircle ||= isTooDeep;
    const name = cwds.at(-1);
    if (isTooDeep || (this.#hasCircle && above.some((one) => one.cwds.at(-1) === name)))
      throw new FtpullError("protocol", `cannot list the directory: ${tooDeep}`);
  }

  /** The directory above that has equal entries, and the same "unique" fact or two links on the way from it. */
  twinAbove(directory: Directory, entries: readonly TreeEntry[]): Directory | undefined {
    const { above } = directory;
    const { unique } = directory.place.entry ?? {};
    const namesake = unique && above.find(({ place }) => place.entry?.unique === unique);
    if (namesake && digestOf(namesake.listing?.entries ?? []) === digestOf(entries))
      return namesake;
    if (!entries.some(({ type }) => type === "link")) return undefined;
    directory.digest = digestOf(entries);
    const [parent, grandparent] = above;
    const isLinkInLink = [directory, parent].every((one) => one?.place.entry?.type === "link");
    const areSame = [parent, grandparent].every((one) => one?.digest === directory.digest);
    return isLinkInLink && areSame ? parent : undefined;
  }

  /** Called when a directory was refused: below `mostLinks` levels, too many links may be the reason. */
  refused({ level }: Directory): void {
    this.#hasCircle ||= level > mostLinks;
  }

  /**
   * The directory above to which `directory` leads back, if a link's text or PWD shows that. PWD names the top
   * and the targets of links; the names of other directories follow from their parent's.
   */
  async sameAbove(
    session: Session,
    directory: Directory,
  ): Promise<Directory | "above the top" | undefined> {
    const { isAlias, above } = directory;
    const byText = targetAbove(directory);
    if (byText !== undefined) return byText;
    const parent = above[0]?.pathname;
    const name = isAlias
      ? await this.#askName(session, directory)
      : parent && `${parent.replace(/\/$/, "")}/${directory.cwds.at(-1)}`;
    directory.pathname = name;
    if (name === undefined) return undefined;
    const top = above.at(-1)?.pathname;
    if (isAlias && top !== undefined && isAbove(namesIn(name), namesIn(top)))
      return "above the top";
    return above.find(({ pathname }) => pathname === name);
  }

  /** PWD may show the same name everywhere: until two names are known, a directory beside the link is asked, too. */
  async #askName(session: Session, { cwds, above }: Directory): Promise<string | undefined> {
    const name = await session.enterByName(cwds);
    if (cwds.length === 0 || name === undefined) return name;
    const login = loginDirectoryOf(session.state);
    this.#pwdNamesDiffer ||= login !== undefined && name !== login;
    const beside = this.#pwdNamesDiffer ? undefined : above[0] && exampleOf(above[0]);
    const other = beside && (await session.enterByName(beside).catch(unlessRefused));
    this.#pwdNamesDiffer ||= other !== undefined && other !== name;
    return this.#pwdNamesDiffer ? name : undefined;
  }
}

function digestOf(entries: readonly TreeEntry[]): string {
  const hash = createHash("sha1");
  for (const { type, name, size, seconds } of entries)
    hash.update(`${type}/${name}/${size}/${seconds}\n`);
  return hash.digest("base64");
}

/** CWDs to a directory that is no link: the given one, or one inside it. */
function exampleOf({ cwds, isAlias, listing }: Directory): readonly string[] | undefined {
  if (!isAlias) return cwds;
  const entry = listing?.entries.find(({ type }) => type === "directory");
  return entry && [...cwds, entry.name];
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof DirectoryRefused)) throw error;
}

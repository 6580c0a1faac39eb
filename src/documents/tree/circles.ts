/** Finds links that lead in a circle, by the name that PWD shows, by equal entries, or by depth. */
import { createHash } from "node:crypto";
import { FtpullError } from "../../errors.ts";
import { DirectoryRefused, loginDirectoryOf } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Directory } from "./directory.ts";
import type { TreeEntry } from "./tree-listing.ts";

/** Directories inside each other; deeper ones are taken for a circle that PWD doesn't show. */
const mostLevels = 100;
const tooDeep = `it is more than ${mostLevels} levels deep: a link may lead in a circle`;
/** Links that every system follows in one pathname; some follow 40. */
const mostLinks = 32;

export class Circles {
  /** True once PWD has told two directories apart. */
  #hasNames = false;
  #hasCircle = false;

  /** Links in a circle multiply: after the first, no directory "x" is entered below another "x". */
  checkDepth({ cwds, level, above }: Directory): void {
    const isTooDeep = level > mostLevels;
    this.#hasCircle ||= isTooDeep;
    const name = cwds.at(-1);
    if (isTooDeep || (this.#hasCircle && above.some((one) => one.cwds.at(-1) === name)))
      throw new FtpullError("protocol", `cannot list the directory: ${tooDeep}`);
  }

  /**
   * True for a link in a link if both show the same entries, times included, as the directory above
   * them: a link leads in a circle that PWD doesn't show.
   */
  showsCircle(directory: Directory, entries: readonly TreeEntry[]): boolean {
    if (!entries.some(({ type }) => type === "link")) return false;
    const hash = createHash("sha1");
    for (const { type, name, size, seconds } of entries)
      hash.update(`${type}/${name}/${size}/${seconds}\n`);
    const digest = (directory.digest = hash.digest("base64"));
    const [parent, grandparent] = directory.above;
    const isLinkInLink = [directory, parent].every((one) => one?.place.entry?.type === "link");
    return isLinkInLink && digest === parent?.digest && digest === grandparent?.digest;
  }

  /** Called when a directory was refused: below `mostLinks` levels, too many links may be the reason. */
  refused({ level }: Directory): void {
    this.#hasCircle ||= level > mostLinks;
  }

  /**
   * The directory above that is the same one. PWD names the top and the targets of links; the names
   * of other directories follow from their parent's. @throws as `enterByName` does
   */
  async sameAbove(session: Session, directory: Directory): Promise<Directory | undefined> {
    const { isAlias, above } = directory;
    const parent = above[0]?.pathname;
    const name = isAlias
      ? await this.#askName(session, directory)
      : parent && `${parent.replace(/\/$/, "")}/${directory.cwds.at(-1)}`;
    directory.pathname = name;
    return name === undefined ? undefined : above.find(({ pathname }) => pathname === name);
  }

  /** Undefined unless PWD tells directories apart; if unknown, PWD is asked in a directory beside the link. */
  async #askName(session: Session, { cwds, above }: Directory): Promise<string | undefined> {
    const name = await session.enterByName(cwds);
    if (cwds.length === 0 || name === undefined) return name;
    this.#hasNames ||= name !== (loginDirectoryOf(session.state) ?? name);
    const beside = this.#hasNames ? undefined : above[0] && exampleOf(above[0]);
    const other = beside && (await session.enterByName(beside).catch(unlessRefused));
    this.#hasNames ||= other !== undefined && other !== name;
    return this.#hasNames ? name : undefined;
  }
}

/** The CWDs to a directory that is no link: the given one, or one inside it. */
function exampleOf({ cwds, isAlias, listing }: Directory): readonly string[] | undefined {
  if (!isAlias) return cwds;
  const entry = listing?.entries.find(({ type }) => type === "directory");
  return entry && [...cwds, entry.name];
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof DirectoryRefused)) throw error;
}

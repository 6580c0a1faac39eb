/** Links that lead in a circle: to a directory above them, as PWD shows, or without an end. */
import { createHash } from "node:crypto";
import { FtpullError } from "../../errors.ts";
import { DirectoryRefused, loginDirectoryOf } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Directory } from "./directory.ts";
import type { TreeEntry } from "./tree-listing.ts";

/** A link may lead in a circle that PWD doesn't show. */
const mostLevels = 100;
const tooDeep = `it is more than ${mostLevels} levels deep: a link may lead in a circle`;
/** Systems follow no more links in one pathname; some follow 40. */
const mostLinks = 32;

export class Circles {
  /** Whether PWD tells directories apart. */
  #hasNames = false;
  /** Whether a directory was too deep. */
  #hasCircle = false;

  /** Links in a circle multiply: after the first one, no directory is entered inside its own name. */
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

  /** A directory was refused: so far down it may have been one link too many. */
  refused({ level }: Directory): void {
    this.#hasCircle ||= level > mostLinks;
  }

  /**
   * The directory above this one that is the same. PWD is asked where links lead; below, the names
   * follow. @throws as `enterByName` does
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

  /** PWD's reply counts once PWD has told directories apart: if need be, a directory beside a link shows it. */
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

/** The CWDs to the directory itself, or to one in it, that is no link. */
function exampleOf({ cwds, isAlias, listing }: Directory): readonly string[] | undefined {
  if (!isAlias) return cwds;
  const entry = listing?.entries.find(({ type }) => type === "directory");
  return entry && [...cwds, entry.name];
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof DirectoryRefused)) throw error;
}

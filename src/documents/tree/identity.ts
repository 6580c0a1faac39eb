/**
 * Whether a directory is one that was listed before, under another name, so that a circle of links
 * ends: by PWD, by MLSD's fact `unique` (RFC 3659 §7.5.2), or by an equal listing.
 */
import { FtpullError } from "../../errors.ts";
import type { Session } from "../../ftp/session.ts";
import type { Recorder } from "./record.ts";
import type { Tree } from "./tree.ts";

/** Two links that look like directories would go through 100 levels in 2^100 ways. */
const mostEqual = 4;

export class Identity {
  readonly #tree: Tree;
  readonly #shownUrl: string;
  readonly #isAlias: boolean;
  readonly #parent: Identity | undefined;
  /** What PWD says in it, which may be the same everywhere. */
  #shownName: string | undefined;
  /** What the server calls it, if that is known. */
  #serverName: string | undefined;
  #unique: string | undefined;
  /** Equal for equal listings. */
  #digest: string | undefined;

  /** `isAlias`: it is the tree's top or a link. */
  constructor(tree: Tree, shownUrl: string, isAlias: boolean, parent: Identity | undefined) {
    this.#tree = tree;
    this.#shownUrl = shownUrl;
    this.#isAlias = isAlias;
    this.#parent = parent;
  }

  /** PWD is asked where links lead; below, the names follow. @throws as `enterByName` does */
  async hasKnownName(session: Session, cwds: readonly string[]): Promise<boolean> {
    const above = this.#parent === undefined ? undefined : this.#parent.#serverName;
    this.#serverName = this.#isAlias
      ? await this.#askName(session, cwds)
      : above && `${above.replace(/\/$/, "")}/${cwds.at(-1)}`;
    return this.#isKnown(this.#serverName);
  }

  /** What PWD says counts once it has changed after a CWD. */
  async #askName(session: Session, cwds: readonly string[]): Promise<string | undefined> {
    const name = (this.#shownName = await session.enterByName(cwds));
    if (cwds.length === 0) return name;
    this.#tree.hasNames ||= name !== undefined && name !== (session.loginDirectory ?? name);
    return this.#tree.hasNames ? name : undefined;
  }

  /** @throws FtpullError "protocol" for the listing of a directory above, if it may be another's */
  hasKnownListing(listing: Recorder): boolean {
    this.#unique = listing.identity;
    return this.#isKnown(this.#unique) || this.#isCircle(listing);
  }

  /** Whether a link leads to a directory that was listed, or back to one above: a copy stays. */
  #isKnown(name: string | undefined): boolean {
    if (name === undefined) return false;
    const first = this.#tree.visit(name, this.#shownUrl);
    if (first === this.#shownUrl || !(this.#isAlias || this.#isAbove(name))) return false;
    return this.#leadsTo(first);
  }

  #leadsTo(first: string): true {
    const words = `it leads to ${first}, which is fetched already`;
    this.#tree.settings.observer.info(`${this.#shownUrl}: ${words}`);
    return true;
  }

  #isAbove(name: string): boolean {
    for (const above of this.#above())
      if (name === above.#serverName || name === above.#unique) return true;
    return false;
  }

  *#above(): Generator<Identity> {
    for (let above = this.#parent; above !== undefined; above = above.#parent) yield above;
  }

  /** Whether the listing is that of a directory above, which PWD and types don't show for some links. */
  #isCircle({ digest, isUnique, entries }: Recorder): boolean {
    this.#digest = digest;
    let isThroughLink = this.#isAlias;
    let equal = 0;
    for (const above of this.#above()) {
      if (above.#digest === digest) {
        const isNamed = this.#shownName !== undefined && this.#shownName === above.#serverName;
        if (isUnique || isNamed) return this.#leadsTo(above.#shownUrl);
        if (isThroughLink || (++equal === mostEqual && entries > 1))
          throw inCircle(above.#shownUrl);
      }
      isThroughLink ||= above.#isAlias;
    }
    return false;
  }
}

function inCircle(shownUrl: string): FtpullError {
  const words = `a link leads in a circle: the listing is that of ${shownUrl}`;
  return new FtpullError("protocol", `cannot fetch the directory: ${words}`);
}

/** Finds the verification of one file: by checksums that an option gives, or by those beside it on its server. */
import type { Checksum } from "../../checksums/checksum.ts";
import { FtpullError } from "../../errors.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { SumsDirectory } from "./sums-directory.ts";
import type { Verification } from "./verification.ts";

/** Where a file's checksums are looked for on its server, and what follows if there is none. */
interface Search {
  readonly directory?: SumsDirectory | undefined;
  readonly isRequired?: boolean;
  /** Called for a file without a checksum that is fetched all the same. */
  readonly onMissing?: ((shownUrl: string) => void) | undefined;
}

/** Finds a file's verification before each try. */
export class Verifier {
  #known: Verification;
  readonly #search: Search;
  #isSearched = false;
  /** True after a mismatch: the file is fetched once more, by the same source, which is searched anew. */
  #hasMismatched = false;

  /** `given` has the checksums of an option; without any, those of the server are looked for. */
  constructor(given: Verification, search: Search = {}) {
    this.#known = given;
    this.#search = given.checksums.length > 0 ? { ...search, directory: undefined } : search;
  }

  /** The checksums that are known in this try. */
  get checksums(): readonly Checksum[] {
    return this.#known.checksums;
  }

  /** True if a local file can't be kept before its try. */
  get isWanted(): boolean {
    return this.#search.directory !== undefined || this.checksums.length > 0;
  }

  /** Looks for the file's checksums on its server. @throws FtpullError "integrity"; what breaks the session */
  async find(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<void> {
    const { directory } = this.#search;
    if (directory !== undefined && !this.#isSearched) {
      // The sums file of a mismatch is read again, and no other one counts.
      const only = this.#hasMismatched ? this.#known.source : undefined;
      this.#known = (await directory.find(session, plan, located, only)) ?? this.#known;
      await session.locate({ ...plan, asks: "nothing" }); // The search may have left the directory.
      this.#isSearched = true;
    }
    // A name without a size may be a directory's.
    if (located.facts.size !== undefined) this.require();
  }

  /** @throws FtpullError "integrity" for a file without a checksum that has to have one */
  require(): void {
    if (this.#search.isRequired && this.checksums.length === 0)
      throw new FtpullError("integrity", "no checksum was found: the file is not verified");
  }

  /** Called for a file that was fetched or kept, and has the checksums. @throws FtpullError "integrity" as `require` */
  conclude(shownUrl: string): Verification | undefined {
    this.require();
    if (this.checksums.length > 0) return this.#known;
    this.#search.onMissing?.(shownUrl);
    return undefined;
  }

  /**
   * Called after a mismatch: true if the file is to be fetched again, once. Given checksums can only fit then if the
   * file was resumed.
   */
  doubt(isResumed: boolean): boolean {
    const mayFit = isResumed || this.#search.directory !== undefined;
    if (this.#hasMismatched || !mayFit) return false;
    this.#hasMismatched = true;
    this.#isSearched = false;
    return true;
  }
}

/** Verification of one document: by a checksum of the user's, or by one beside it on its server. */
import { type Checksum, strengthOf } from "../../checksums/checksum.ts";
import { FtpullError } from "../../errors.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { ChecksumDirectory } from "./checksum-directory.ts";
import type { Evidence } from "./evidence.ts";

/** A checksum that a document has, with its source. */
export type Verified = Omit<Evidence, "checksums" | "doubt"> & Checksum;

/** For a person: "sha256 of SHA256SUMS". */
export function verifiedText({ algorithm, label }: Verified): string {
  const isWeak = strengthOf(algorithm) > strengthOf("md5");
  return `${algorithm} of ${label}${isWeak ? " (weaker than md5)" : ""}`;
}

export class Verification {
  #evidence: Evidence | undefined;
  /** Where to look for checksums. */
  readonly #directory: ChecksumDirectory | undefined;
  readonly #isDemanding: boolean;
  #isSearched = false;
  /** A mismatch after which list and document are fetched once more. */
  #difference: string | undefined;

  /** With `given`, nothing is searched for; `isDemanding`: a document without a checksum is a failure. */
  constructor(
    given: Evidence | undefined,
    directory: ChecksumDirectory | undefined,
    isDemanding = false,
  ) {
    this.#evidence = given;
    this.#directory = given === undefined ? directory : undefined;
    this.#isDemanding = isDemanding && this.#directory !== undefined;
  }

  /** Whether a file that is here has to be read before it is skipped. */
  get isWanted(): boolean {
    return this.#evidence !== undefined || this.#directory !== undefined;
  }

  /** All of them have to be right; none if they aren't known, or there is none. */
  get checksums(): readonly Checksum[] {
    return this.#evidence?.checksums ?? [];
  }

  /** The strongest checksum, with its source, as shown to the user. */
  get verified(): Verified | undefined {
    const { checksums: [checksum] = [], source = "", label = "" } = this.#evidence ?? {};
    return checksum && { ...checksum, source, label };
  }

  /**
   * Looks for the checksums of a located document, once; its session is left where it can be retrieved.
   * @throws FtpullError "integrity" where one was wrong before, or is demanded; what breaks the session
   */
  async find(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<void> {
    if (this.#directory === undefined || this.#isSearched) return;
    const former = this.#evidence;
    this.#evidence = await this.#directory.find(session, plan, located);
    // A weaker checksum, or the server's own, doesn't undo what a published one has shown.
    if (this.#difference !== undefined && this.#evidence?.source !== former?.source) {
      const words = `and now there is no checksum from ${former?.label}`;
      throw new FtpullError("integrity", `${this.#difference}, ${words}`);
    }
    this.#isSearched = true;
    // A name without a size may be a directory's.
    if (located.facts.size !== undefined) this.requireChecksum();
    await session.locate({ ...plan, asks: "nothing" });
  }

  /** @throws FtpullError "integrity" if there is no checksum, but has to be */
  requireChecksum(): void {
    if (this.#evidence !== undefined || !this.#isDemanding) return;
    throw new FtpullError("integrity", "no checksum was found");
  }

  /** Says of a document that it has no checksum, if one was looked for. */
  conclude(shownUrl: string): void {
    if (this.#evidence === undefined) this.#directory?.miss(shownUrl);
  }

  /**
   * After a mismatch: whether all is to be fetched again, once. It may come from a change in between; of
   * a document that `isResumed`, what was here before may be another one's, but for the octets compared.
   */
  mayBeMended(difference: string, isResumed: boolean): boolean {
    if (this.#directory === undefined && !isResumed) return false;
    if (this.#difference !== undefined) return false;
    this.#difference = difference;
    this.#evidence?.doubt?.();
    this.#isSearched = false;
    return true;
  }
}

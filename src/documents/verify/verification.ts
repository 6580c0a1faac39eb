/** Verification of one document, by a checksum from options or by one beside it on its server. */
import { type Checksum, type Evidence, strengthOf } from "../../checksums/checksum.ts";
import { FtpullError } from "../../errors.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { ChecksumDirectory } from "./checksum-directory.ts";

export type Verified = Omit<Evidence, "checksums" | "doubt"> & Checksum;

export function verifiedText({ algorithm, label }: Verified): string {
  const isWeak = strengthOf(algorithm) > strengthOf("md5");
  return `verified by ${algorithm} of ${label}${isWeak ? " (weaker than md5)" : ""}`;
}

export class Verification {
  #evidence: Evidence | undefined;
  readonly #directory: ChecksumDirectory | undefined;
  readonly #isRequired: boolean;
  readonly #end: (() => void) | undefined;
  #isSearched = false;
  /** The mismatch after which list and document were fetched once more. */
  #difference: string | undefined;

  constructor(given?: Evidence, sought?: ChecksumDirectory, isRequired = false, end?: () => void) {
    this.#evidence = given;
    this.#directory = given === undefined ? sought : undefined;
    this.#isRequired = isRequired && this.#directory !== undefined;
    this.#end = end;
  }

  get isWanted(): boolean {
    return this.#evidence !== undefined || this.#directory !== undefined;
  }

  get checksums(): readonly Checksum[] {
    return this.#evidence?.checksums ?? [];
  }

  get verified(): Verified | undefined {
    const { checksums: [checksum] = [], source = "", label = "" } = this.#evidence ?? {};
    return checksum && { ...checksum, source, label };
  }

  /** Looks for a document's checksums, once. @throws FtpullError "integrity"; what breaks the session */
  async find(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<void> {
    if (this.#directory === undefined || this.#isSearched) return;
    const former = this.#evidence;
    this.#evidence = await this.#directory.find(session, plan, located);
    // After a mismatch, neither a weaker checksum nor the server's own proves the document whole.
    if (this.#difference !== undefined && this.#evidence?.source !== former?.source) {
      const words = `and now there is no checksum from ${former?.label}`;
      throw new FtpullError("integrity", `${this.#difference}, ${words}`);
    }
    this.#isSearched = true;
    // A name without a size may be a directory's.
    if (located.facts.size !== undefined) this.requireChecksum();
    await session.locate({ ...plan, asks: "nothing" });
  }

  /** @throws FtpullError "integrity" */
  requireChecksum(): void {
    if (this.#evidence !== undefined || !this.#isRequired) return;
    throw new FtpullError("integrity", "no checksum was found");
  }

  /** Called when the document is whole, or stays as it is. */
  conclude(shownUrl: string): void {
    this.#end?.();
    if (this.#evidence === undefined) this.#directory?.miss(shownUrl);
  }

  /** After a mismatch: true if list and document, or a resumed document, are to be fetched again, once. */
  mayBeMended(difference: string, isResumed: boolean): boolean {
    if (this.#directory === undefined && !isResumed) return false;
    if (this.#difference !== undefined) return false;
    this.#difference = difference;
    this.#evidence?.doubt?.();
    this.#isSearched = false;
    return true;
  }
}

/** Verification of one document: by checksums that an option gives, or by those beside it on its server. */
import { type Checksum, type Evidence, rankOf } from "../../checksums/checksum.ts";
import { FtpullError } from "../../errors.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { ChecksumDirectory } from "./checksum-directory.ts";

export type Verified = Omit<Evidence, "checksums" | "doubt"> & Checksum;

export function verifiedText({ algorithm, label }: Verified): string {
  const isWeak = rankOf(algorithm) > rankOf("md5");
  return `verified by ${algorithm} of ${label}${isWeak ? " (weaker than md5)" : ""}`;
}

interface VerificationOptions {
  readonly given?: Evidence | undefined;
  readonly directory?: ChecksumDirectory | undefined;
  readonly isRequired?: boolean;
  readonly onWhole?: () => void;
}

export class Verification {
  #evidence: Evidence | undefined;
  readonly #directory: ChecksumDirectory | undefined;
  readonly #isRequired: boolean;
  readonly #onWhole: (() => void) | undefined;
  #isSearched = false;
  #hasMismatch = false;

  constructor({ given, directory, isRequired = false, onWhole }: VerificationOptions) {
    this.#evidence = given;
    this.#directory = given === undefined ? directory : undefined;
    this.#isRequired = isRequired && this.#directory !== undefined;
    this.#onWhole = onWhole;
  }

  get isWanted(): boolean {
    return this.#evidence !== undefined || this.#directory !== undefined;
  }

  get checksums(): readonly Checksum[] {
    return this.#evidence?.checksums ?? [];
  }

  get verified(): Verified | undefined {
    if (this.#evidence === undefined) return undefined;
    const { checksums, source, label } = this.#evidence;
    const [strongest] = checksums;
    return strongest && { ...strongest, source, label };
  }

  get sha256(): string | undefined {
    return this.checksums.find(({ algorithm }) => algorithm === "sha256")?.value;
  }

  /** Looks for the document's checksums, once. @throws FtpullError "integrity"; what breaks the session */
  async find(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<void> {
    if (this.#directory === undefined || this.#isSearched) return;
    const former = this.#evidence;
    const found = await this.#directory.find(session, plan, located);
    // After a mismatch, another list, which may be weaker, doesn't prove the document whole.
    if (former === undefined || found?.source === former.source) this.#evidence = found;
    this.#isSearched = true;
    // A name without a size may be a directory's.
    if (located.facts.size !== undefined) this.requireChecksum();
    await session.locate({ ...plan, asks: "nothing" }); // The search may have left the directory.
  }

  requireChecksum(): void {
    if (this.#isRequired && this.#evidence === undefined)
      throw new FtpullError("integrity", "no checksum was found");
  }

  conclude(shownUrl: string): void {
    this.#onWhole?.();
    if (this.#evidence === undefined) this.#directory?.miss(shownUrl);
  }

  /**
   * After a mismatch: true if the document is to be fetched again, once. A sums file is then searched again; given
   * checksums can only fit if the document was resumed.
   */
  mayBeMended(isResumed: boolean): boolean {
    const canDiffer = isResumed || this.#directory !== undefined;
    if (!canDiffer || this.#hasMismatch) return false;
    this.#hasMismatch = true;
    this.#evidence?.doubt?.();
    this.#isSearched = false;
    return true;
  }
}

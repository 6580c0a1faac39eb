/** Verification of one file: by checksums that an option gives, or by those beside it on its server. */
import { type Checksum, rankOf } from "../../checksums/checksum.ts";
import { FtpullError } from "../../errors.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { ChecksumDirectory } from "./checksum-directory.ts";
import type { Listed } from "./sums-file.ts";

/**
 * What a file is verified by in one try: all of `checksums`, the strongest first, from one `source` (a URL or an
 * option; `label` is for messages). If it `isRequired`, a file without a checksum is a failure.
 */
export interface Verification {
  readonly checksums: readonly Checksum[];
  readonly source: string;
  readonly label: string;
  readonly isRequired: boolean;
}

/** The strongest checksum of a file that was verified, with its source, as shown to the user. */
export type Verified = Checksum & Pick<Verification, "source" | "label">;

export function verifiedBy({ checksums, source, label }: Verification): Verified | undefined {
  const [strongest] = checksums;
  return strongest && { ...strongest, source, label };
}

export function verifiedText({ algorithm, label }: Verified): string {
  const isWeak = rankOf(algorithm) > rankOf("md5");
  return `verified by ${algorithm} of ${label}${isWeak ? " (weaker than md5)" : ""}`;
}

export function sha256Of({ checksums }: Verification): string | undefined {
  return checksums.find(({ algorithm }) => algorithm === "sha256")?.value;
}

/** @throws FtpullError "integrity" for a file without a checksum that has to have one */
export function requireChecksum({ checksums, isRequired }: Verification): void {
  if (isRequired && checksums.length === 0)
    throw new FtpullError("integrity", "no checksum was found: the file is not verified");
}

/** Called for a file without a checksum that is fetched all the same. */
type OnMissing = (shownUrl: string) => void;

/** Finds a file's verification before each try. */
export class Verifier {
  readonly #given: Verification;
  readonly #onMissing: OnMissing | undefined;
  readonly #directory: ChecksumDirectory | undefined;
  #found: Listed | undefined;
  #isSearched = false;
  #hasDoubted = false;

  /** `given` has the checksums of an option; without any, those in `directory` are looked for. */
  constructor(given: Verification, directory?: ChecksumDirectory, onMissing?: OnMissing) {
    this.#given = given;
    this.#onMissing = onMissing;
    this.#directory = given.checksums.length > 0 ? undefined : directory;
  }

  /** True if a local file can't be kept before its try. */
  get isWanted(): boolean {
    return this.#directory !== undefined || this.known.checksums.length > 0;
  }

  /** Looks for the file's checksums on its server, once. @throws FtpullError "integrity"; what breaks the session */
  async find(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<void> {
    const isDue = this.#directory !== undefined && !this.#isSearched;
    if (isDue) await this.#search(session, plan, located);
    // A name without a size may be a directory's.
    if (located.facts.size !== undefined) requireChecksum(this.known);
  }

  /** Called for a file that was fetched or kept: one without a checksum is told of. */
  conclude(shownUrl: string): void {
    if (this.known.checksums.length === 0) this.#onMissing?.(shownUrl);
  }

  /**
   * Called after a mismatch: true if the file is to be fetched again, once. Its sums file is then read again, and no
   * other one counts; given checksums can only fit if the file was resumed.
   */
  doubt(isResumed: boolean): boolean {
    if (this.#hasDoubted || (!isResumed && this.#found === undefined)) return false;
    this.#hasDoubted = true;
    this.#isSearched = false;
    this.#found?.sums.forget();
    return true;
  }

  async #search(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<void> {
    const again = this.#found?.sums.search(session, plan);
    const found = await (again ?? this.#directory?.find(session, plan, located));
    this.#found = found ?? this.#found;
    await session.locate({ ...plan, asks: "nothing" }); // The search may have left the directory.
    this.#isSearched = true;
  }

  /** Checksums of an option, or those that were found. */
  get known(): Verification {
    if (this.#found === undefined) return this.#given;
    const { checksums, sums } = this.#found;
    return { ...this.#given, checksums, source: sums.source, label: sums.label };
  }
}

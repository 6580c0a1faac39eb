import type { Checksum } from "../../checksums/checksum.ts";

/** The checksums of one document, and where they were found. */
export interface Evidence {
  readonly checksums: readonly Checksum[];
  readonly source: string;
  readonly label: string;
  /** Called after a mismatch: the checksums are then fetched again. */
  readonly doubt?: () => void;
}

import type { Checksum } from "../../checksums/checksum.ts";

/** The checksums of one document, and where they were found. */
export interface Evidence {
  /** The strongest first. */
  readonly checksums: readonly Checksum[];
  /** A URL, or else an option, a local list or a command. */
  readonly source: string;
  /** A short name of it. */
  readonly label: string;
  /** Has the checksums fetched again when they are wanted. */
  readonly doubt?: () => void;
}

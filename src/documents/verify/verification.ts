/** What a file is verified by, as a value. */
import { type Checksum, rankOf } from "../../checksums/checksum.ts";

/**
 * What a file is verified by: all of `checksums`, the strongest first, from one `source`: a URL or an option. `label`
 * is the source in messages.
 */
export interface Verification {
  readonly checksums: readonly Checksum[];
  readonly source: string;
  readonly label: string;
}

export function verifiedText({ checksums: [strongest], label }: Verification): string {
  const algorithm = strongest?.algorithm;
  const isWeak = rankOf(algorithm) > rankOf("md5");
  return `verified by ${algorithm} of ${label}${isWeak ? " (weaker than md5)" : ""}`;
}

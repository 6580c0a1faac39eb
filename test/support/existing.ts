/** What becomes of an existing file, as without an option, and by -f, -nc, -N and -c. */
import type { Existing } from "../../src/files/existing.ts";

export const existing = {
  number: { stays: "never", otherwise: "number", replacesLinks: false },
  force: { stays: "never", otherwise: "force", replacesLinks: false },
  keep: { stays: "always", otherwise: "replace", replacesLinks: false },
  newer: { stays: "unless newer", otherwise: "replace", replacesLinks: false },
  continue: { stays: "if the same", otherwise: "continue", replacesLinks: false },
} satisfies Record<string, Existing>;

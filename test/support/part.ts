/** Makes the folder `name.ftpull`, which a run leaves of a partial document. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Gap } from "../../src/files/gaps.ts";
import { noOwner } from "../../src/files/part/owner.ts";

export interface PartState {
  readonly url: string;
  readonly size?: number | undefined;
  readonly modified?: Date | string | undefined;
  readonly missing?: readonly Gap[];
}

export function leavePart(
  path: string,
  octets: string | Buffer,
  { url, size, modified, missing }: PartState,
  owner = noOwner,
): void {
  const folder = `${path}.ftpull`;
  mkdirSync(folder);
  writeFileSync(join(folder, "data"), octets);
  const state = { url, size: size ?? null, modified: modified ?? null, missing: missing ?? null };
  writeFileSync(join(folder, "state.json"), JSON.stringify(state));
  writeFileSync(join(folder, owner), "");
}

/** Makes `name.ftpull` and `name.ftpull.json`, which a run leaves of a file that isn't whole. */
import { writeFileSync } from "node:fs";
import { hostname } from "node:os";

interface PartState {
  readonly url: string;
  readonly size?: number | undefined;
  readonly modified?: Date | string | undefined;
}

interface Writer {
  readonly host?: string;
  readonly pid?: number | null;
  readonly run?: string;
}

/** Linux gives no process such a number. */
export const endedProcess = 2 ** 22 + 1;

export function leavePart(
  path: string,
  octets: string | Buffer,
  { url, size, modified }: PartState,
  { host = hostname(), pid = endedProcess, run = "0123456789abcdef" }: Writer = {},
): void {
  writeFileSync(`${path}.ftpull`, octets);
  const state = { url, size, modified, host, pid, run };
  writeFileSync(`${path}.ftpull.json`, JSON.stringify(state));
}

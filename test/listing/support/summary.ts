import type { Entry } from "../../../src/listing/entry.ts";

/** Entry as ls shows it, on one line: type, permissions, owner, group, size, time, name, target. */
export function summary(entry: Entry | undefined): string {
  const { type, permissions, owner, group, size, modified, name, target } = entry ?? {};
  const time = modified?.toISOString().replace(/(?::00)?\.000Z$/, "");
  const shown = [type, permissions, owner, group, size, time, `"${name}"`].map((x) => x ?? "?");
  return shown.join(" ") + (target === undefined ? "" : ` -> "${target}"`);
}

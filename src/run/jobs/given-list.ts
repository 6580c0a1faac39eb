/** Reads the list of --checksums. */
import { readChecksumList } from "../../checksums/checksum-list.ts";
import type { Observer } from "../../documents/events.ts";
import type { GivenList } from "../../documents/verify/checksums.ts";
import { inputName } from "../../files/input-file.ts";
import { counted } from "../../text/units.ts";

export async function readGivenList(source: string, observer: Observer): Promise<GivenList> {
  const content = await readChecksumList(source);
  const label = inputName(source);
  const { first, count } = content.strangeLines;
  if (count > 0)
    observer.warning(
      `${counted(count, "line")} of ${label}, from line ${first} on, have no checksum`,
    );
  return { content, source, label };
}

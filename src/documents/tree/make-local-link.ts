/** Makes the local link in place of a link that leads into its tree. */
import { isTaken } from "../../files/regular-file.ts";
import { makeLink } from "../../files/tree-link.ts";
import type { Result } from "../result.ts";
import type { Tree } from "./tree.ts";

/** @throws FtpullError "file" */
export function makeLocalLink(tree: Tree, path: string, url: string, target: string): Result {
  const { rules } = tree.options;
  const made = { url, exit: 0, octets: 0, file: path, link: target, inTree: true } as const;
  const kept = { ...made, status: "skipped" } as const;
  if (rules.keepsExisting && isTaken(path))
    return { ...kept, reason: "exists", explanation: `"${path}" is there already` };
  const isNew = makeLink({ path, target, url, top: rules.top, own: rules.own });
  tree.localLinks.set(url, path);
  if (isNew) return { ...made, status: "done" };
  return { ...kept, reason: "unchanged", explanation: `"${path}" is unchanged` };
}

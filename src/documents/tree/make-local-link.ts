/** Makes the local link in place of a link that leads into its tree. */
import { systemText } from "../../errors.ts";
import { isTaken } from "../../files/regular-file.ts";
import { makeLink, NoLinks } from "../../files/tree-link.ts";
import type { Result } from "../result.ts";
import type { Tree } from "./tree.ts";

/** Undefined where the file system has no links: from then on, all are followed. @throws FtpullError "file" */
export function makeLocalLink(
  tree: Tree,
  path: string,
  url: string,
  target: string,
): Result | undefined {
  const { rules, observer } = tree.options;
  const made = { url, exit: 0, octets: 0, file: path, link: target, inTree: true } as const;
  const kept = { ...made, status: "skipped" } as const;
  if (rules.keepsExisting && isTaken(path))
    return { ...kept, reason: "exists", explanation: `"${path}" is there already` };
  try {
    const isNew = makeLink({ path, target, url, top: rules.top, own: rules.own });
    tree.localLinks.set(url, path);
    if (isNew) return { ...made, status: "done" };
    return { ...kept, reason: "unchanged", explanation: `"${path}" is unchanged` };
  } catch (error) {
    if (!(error instanceof NoLinks)) throw error;
    const words = `${error.message}: ${systemText(error.cause)}: its content is fetched`;
    if (tree.links === "keep") observer.info(words);
    tree.links = "follow";
    return undefined;
  }
}

/** Ends circles of directories: plain ones show by MLSD's "unique" fact or by depth, links by the name that PWD says. */
import { posix } from "node:path";
import { FtpullError } from "../../errors.ts";
import { isWithin, namesIn } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Directory } from "./tree.ts";

const mostLevels = 100;

/** Refuses a directory that is one above itself, or too deep. @throws FtpullError "protocol" */
export function checkNoCircle({ level, place, above }: Directory): void {
  const unique = place.entry?.unique;
  const isAbove = unique !== undefined && above.some((one) => one.unique === unique);
  if (!isAbove && level <= mostLevels) return;
  const why = isAbove
    ? "it is a directory above itself"
    : `directories are more than ${mostLevels} levels deep: a link may lead in a circle`;
  throw new FtpullError("protocol", `cannot list the directory: ${why}`);
}

/** True for a link to a directory that PWD shows above it, or below a followed link of its name. */
export async function leadsBack(session: Session, link: Directory): Promise<boolean> {
  if (link.above.some((one) => one.isLink && one.cwds.at(-1) === link.cwds.at(-1))) return true;
  link.pathname = await session.enterByName(link.cwds);
  const login = session.state.loginDirectory;
  if (link.pathname === undefined || login === undefined) return false;
  const end = namesIn(link.pathname);
  return link.above.some((one) => isWithin(namesIn(pathnameOf(one, login)), end));
}

/** The name of a directory by those above it, as PWD would say it. */
function pathnameOf({ parent, cwds, pathname }: Directory, login: string): string {
  if (pathname !== undefined) return pathname;
  if (parent === undefined) return posix.resolve("/", login, ...cwds);
  return posix.join(pathnameOf(parent, login), cwds.at(-1) ?? "");
}

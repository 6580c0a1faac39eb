/** Ends circles of directories: plain ones show by MLSD's "unique" fact or by depth, links by the name that PWD says. */
import { posix } from "node:path";
import { FtpullError } from "../../errors.ts";
import { isWithin, namesIn } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Directory } from "./directory.ts";
import { targetNames } from "./local-links.ts";

const mostLevels = 100;

/** Links that every system follows in one pathname; some systems follow 40. */
const mostLinks = 32;

/**
 * Refuses a directory that is one above itself, or too deep. Links that look like directories multiply in a circle:
 * once a directory was too deep, each one below another of its name is refused, too. @throws FtpullError "protocol"
 */
export function checkNoCircle({ tree, level, place, above, cwds, isLink }: Directory): void {
  const unique = isLink ? undefined : place.entry?.unique;
  const isAbove = unique !== undefined && above.some((one) => one.unique === unique);
  tree.hasCircle ||= level > mostLevels;
  const isAgain = tree.hasCircle && above.some((one) => one.cwds.at(-1) === cwds.at(-1));
  if (!isAbove && !isAgain && level <= mostLevels) return;
  const why = isAbove
    ? "it is a directory above itself"
    : `directories are more than ${mostLevels} levels deep: a link may lead in a circle`;
  throw new FtpullError("protocol", `cannot list the directory: ${why}`);
}

/** Called when a directory couldn't be entered: a system may have followed too many links. */
export function noteRefusal({ tree, level }: Directory): void {
  tree.hasCircle ||= level > mostLinks;
}

/** True for a link below a followed one of its name, or if its text or PWD shows that it leads above itself. */
export async function leadsBack(session: Session, link: Directory): Promise<boolean> {
  const { parent, place } = link;
  const isAgain = link.above.some((one) => one.isLink && one.cwds.at(-1) === link.cwds.at(-1));
  const names = parent && targetNames(parent, place.entry?.target);
  if (isAgain || (names !== undefined && isWithin(parent!.names, names))) return true;
  link.pathname = await session.enterByName(link.cwds);
  const login = session.state.loginDirectory;
  // Some servers say the login directory's name everywhere.
  if (link.pathname === undefined || login === undefined || link.pathname === login) return false;
  const end = namesIn(link.pathname);
  return link.above.some((one) => isWithin(namesIn(pathnameOf(one, login)), end));
}

/** The name of a directory by those above it, as PWD would say it. */
function pathnameOf({ parent, cwds, pathname }: Directory, login: string): string {
  if (pathname !== undefined) return pathname;
  if (parent === undefined) return posix.resolve("/", login, ...cwds);
  return posix.join(pathnameOf(parent, login), cwds.at(-1) ?? "");
}

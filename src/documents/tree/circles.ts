/** Ends circles of links, which show by the name that PWD says, or by names that come again and again. */
import { posix } from "node:path";
import { FtpullError } from "../../errors.ts";
import { isWithin, namesIn } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Directory } from "./directory.ts";

const mostLevels = 20;

/**
 * Refuses a link below another one of its name and, once the tree was deeper than `mostLevels`, each directory
 * below one of its name: links that look like directories multiply in a circle. @throws FtpullError "protocol"
 */
export function checkNames({ tree, cwds, level, above, isLink }: Directory): void {
  tree.isSuspicious ||= level > mostLevels;
  const namesakes = above.filter((one) => one.cwds.at(-1) === cwds.at(-1));
  const isAgain = tree.isSuspicious || (isLink && namesakes.some((one) => one.isLink));
  if (namesakes.length === 0 || !isAgain) return;
  const words = "a directory above it has the same name: a link may lead in a circle";
  throw new FtpullError("protocol", `cannot list the directory: ${words}`);
}

/** True if PWD shows that a link has led to a directory above itself, or above the tree. */
export async function leadsBack(session: Session, link: Directory): Promise<boolean> {
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

/** Ends circles of directories: those that links make, and those of servers that show links as directories. */
import { posix } from "node:path";
import { FtpullError } from "../../errors.ts";
import { isWithin, namesIn } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Directory, ListedDirectory } from "./tree.ts";

const mostLevels = 100;

/** Refuses a directory that is one above itself, or too deep. @throws FtpullError "protocol" */
export function checkNoCircle({ level, entry, above }: Directory): void {
  const unique = entry?.unique;
  const isAbove = unique !== undefined && above.some((one) => uniqueOf(one) === unique);
  if (!isAbove && level <= mostLevels) return;
  const why = isAbove
    ? "it is a directory above itself"
    : `directories are more than ${mostLevels} levels deep: a link may lead in a circle`;
  throw new FtpullError("protocol", `cannot list the directory: ${why}`);
}

/** MLSD's "unique" fact of the directory, by its own listing or the one above. */
function uniqueOf({ listing, directory }: ListedDirectory): string | undefined {
  return listing.itself?.unique ?? directory.entry?.unique;
}

interface Followed {
  /** Pathname by PWD of the directory to which the link leads. */
  readonly pathname?: string | undefined;
  /** True for a directory that PWD shows above the link, and for a link below a followed one of its name. */
  readonly leadsBack: boolean;
}

/** Enters the directory to which a link leads. @throws as `session.enter` does */
export async function followLink(
  session: Session,
  { above }: Directory,
  cwds: readonly string[],
): Promise<Followed> {
  const hasName = above.some((one) => one.directory.isLink && one.cwds.at(-1) === cwds.at(-1));
  if (hasName) return { leadsBack: true };
  const pathname = await session.enterByName(cwds);
  const login = session.state.loginDirectory;
  if (pathname === undefined || login === undefined) return { pathname, leadsBack: false };
  const end = namesIn(pathname);
  const isAbove = above.some((one) => isWithin(namesIn(pathnameOf(one, login)), end));
  return { pathname, leadsBack: isAbove };
}

/** The name of a directory by those above it, as PWD would say it. */
function pathnameOf({ directory, cwds, pathname }: ListedDirectory, login: string): string {
  const { parent } = directory;
  if (pathname !== undefined) return pathname;
  if (parent === undefined) return posix.resolve("/", login, ...cwds);
  return posix.join(pathnameOf(parent, login), cwds.at(-1) ?? "");
}

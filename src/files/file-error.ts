/** Errors about local files, with the system's words. */
import { FtpullError, systemText } from "../errors.ts";

type Verb = "read" | "write";

export function fileError(verb: Verb, path: string, cause: unknown): FtpullError {
  return errorAbout(verb, `"${path}"`, cause);
}

export function errorAbout(verb: Verb, what: string, cause: unknown): FtpullError {
  if (cause instanceof FtpullError) return cause;
  const shown = what.replace(passwordOfUrl, "@");
  return new FtpullError("file", `cannot ${verb} ${shown}: ${systemText(cause)}`, { cause });
}

/** The password in a URL that stands in place of a file by mistake: some options of wget take one. */
const passwordOfUrl = /(?<=:\/\/[^/:@]*):.*@/s;

export function cannotWrite(path: string, because: string): FtpullError {
  return new FtpullError("file", `cannot write "${path}": ${because}`);
}

export function withWriteErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError("write", path, error);
  }
}

export function ifPossible<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** True for errors of file systems without hard or symbolic links: FAT, some network and FUSE ones. */
export function lacksLinks(error: unknown): boolean {
  return hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV");
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errorCode(error) ?? "");
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

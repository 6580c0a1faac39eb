/** The URL of a directory as it was reached, to which the names of its entries are added. */
import { encodeName, utf8Octets } from "../text/percent.ts";
import { formatFtpUrl } from "./format.ts";
import type { FtpUrl } from "./ftp-url.ts";
import type { Plan } from "./plan.ts";

/** Options that add to a URL; another run would need them again. `user` is text, for URLs without one. */
export interface UrlAdditions {
  readonly root?: boolean;
  readonly tls?: boolean;
  readonly user?: string | undefined;
}

/**
 * The URL has a final slash, the user and no password; it leads to the directory of `plan` with or
 * without --root, --tls and --user.
 */
export function directoryUrl(url: FtpUrl, plan: Plan, { root, ...others }: UrlAdditions): string {
  const cwds = plan.name === "" ? plan.cwds : [...plan.cwds, plan.name];
  // The login directory, which --root reaches by "~", is "." to both readings.
  const start = root && cwds[0] !== "/" ? ["."] : [];
  return formatFtpUrl({
    ...withAdditions(url, others),
    segments: [...start, ...cwds.map(encodeName), ""],
    typecode: undefined,
    fragment: undefined,
  });
}

export function withAdditions(url: FtpUrl, { tls, user }: Omit<UrlAdditions, "root">): FtpUrl {
  const scheme = tls && url.scheme === "ftp" ? "ftpes" : url.scheme;
  return { ...url, scheme, user: url.user ?? (user && utf8Octets(user)) };
}

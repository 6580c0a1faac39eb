/**
 * The sources of passwords, in their order: the URL, --password-file or --ask-password,
 * FTPULL_PASSWORD, netrc, a question. An anonymous login uses only the URL's, or an address (S5).
 */
import type { UserAndPassword } from "../ftp/credentials.ts";
import { utf8Octets } from "../text/percent.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import { anonymous, anonymousPassword, isAnonymous } from "../url/anonymous.ts";
import { findNetrc, type NetrcEntry } from "./netrc.ts";

/** An empty answer means `initial`. The prompt must escape the texts, which may come from a server. */
export interface Question {
  readonly kind: "text" | "password";
  readonly message: string;
  readonly initial?: string;
  readonly notice?: string | undefined;
}

/**
 * Texts, except the octets from the password file and from netrc. An empty `environmentPassword` counts as
 * none, since it usually is an unset secret. `ask` is undefined without a terminal, and with --no-input.
 */
export interface CredentialSources {
  readonly passwordFile?: (() => Promise<string>) | undefined;
  readonly askFirst?: boolean | undefined;
  readonly environmentPassword?: string | undefined;
  readonly netrc: readonly NetrcEntry[];
  readonly account?: string | undefined;
  readonly ask?: ((question: Question) => Promise<string>) | undefined;
  readonly logins: Answers<UserAndPassword>;
  readonly accounts: Answers<string>;
}

/** The answers of this run: several URLs of one server lead to one question, also at once. */
export type Answers<Answer> = Map<string, Promise<Answer>>;

export function firstUser(url: FtpUrl, sources: CredentialSources): string {
  if (url.user !== undefined) return url.user;
  return findNetrc(sources.netrc, url.host)?.login ?? anonymous;
}

export interface KnownPassword {
  readonly password?: string | undefined;
  readonly source?: string;
}

export async function knownPassword(
  url: FtpUrl,
  user: string,
  sources: CredentialSources,
): Promise<KnownPassword> {
  if (url.password !== undefined) return { password: url.password, source: "the URL" };
  if (isAnonymous(user)) return { password: anonymousPassword };
  if (sources.passwordFile)
    return { password: await sources.passwordFile(), source: "the password file" };
  if (sources.askFirst === true) return {};
  // A secret that was made from a file often ends in a line end, which no server can be sent.
  const fromEnvironment = sources.environmentPassword?.replace(/[\r\n]+$/, "");
  if (fromEnvironment) return { password: utf8Octets(fromEnvironment), source: "FTPULL_PASSWORD" };
  return { password: findNetrc(sources.netrc, url.host, user)?.password, source: "netrc" };
}

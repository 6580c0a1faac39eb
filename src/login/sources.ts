/**
 * The sources of passwords, in their order: the URL, --password-file or --ask-password, FTPULL_PASSWORD, netrc, a
 * question. An anonymous login uses only the URL's, or an address (S5).
 */
import { FtpullError } from "../errors.ts";
import { inputName, readInput } from "../files/input-file.ts";
import { utf8Octets } from "../text/percent.ts";
import { anonymous, anonymousPassword, isAnonymous } from "../url/anonymous.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import { findNetrc, type NetrcEntry } from "./netrc.ts";

/** The prompt must escape the texts, which may come from a server. */
export interface Question {
  readonly kind: "text" | "password";
  readonly message: string;
  readonly notice?: string | undefined;
}

/**
 * Octets, but `environmentPassword` is text; an empty one counts as none, since it usually is an unset secret. `ask` is
 * undefined without a terminal, and with --no-input.
 */
export interface LoginSources {
  readonly passwordFile?: (() => Promise<string>) | undefined;
  readonly askFirst?: boolean | undefined;
  readonly environmentPassword?: string | undefined;
  readonly netrc: readonly NetrcEntry[];
  readonly account?: string | undefined;
  readonly ask?: ((question: Question) => Promise<string>) | undefined;
}

export function userOf(url: FtpUrl, { netrc }: Pick<LoginSources, "netrc">): string {
  return url.user ?? findNetrc(netrc, url.host)?.login ?? anonymous;
}

/** A password as octets, with the words for its source. */
interface KnownPassword {
  readonly password?: string | undefined;
  readonly source?: string;
}

/** @throws FtpullError "file" or "login" for the password file */
export async function knownPassword(
  url: FtpUrl,
  user: string,
  sources: LoginSources,
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

export function passwordFile(path: string): () => Promise<string> {
  let password: Promise<string> | undefined;
  return () => (password ??= readPassword(path));
}

/**
 * The first line as octets, with its spaces. An empty file usually is a secret that was not set. @throws FtpullError
 * "file" or, for an empty file, "login"
 */
async function readPassword(path: string): Promise<string> {
  const text = (await readInput(path)).toString("latin1");
  if (text === "") throw new FtpullError("login", `password file ${inputName(path)} is empty`);
  return text.replace(/\r?\n.*$/s, "");
}

/** An anonymous login may have an account, too, but not from an entry of netrc that names no user. */
export function knownAccount(
  url: FtpUrl,
  user: string,
  { account, netrc }: LoginSources,
): string | undefined {
  if (account !== undefined) return account;
  const entry = findNetrc(netrc, url.host, user);
  return isAnonymous(user) && entry?.login === undefined ? undefined : entry?.account;
}

/**
 * What a login can be made of, and in which order: the URL, then --password-file or
 * --ask-password, FTPULL_PASSWORD, netrc. A person, who comes last, is asked in
 * credential-order.ts. An anonymous login gets no password of them, only a made-up address (S5).
 */
import type { UserAndPassword } from "../ftp/credentials.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import { findNetrc, type NetrcEntry } from "./netrc.ts";
import { PromptCache } from "./prompt-cache.ts";

/** One question to a person. Texts may hold raw text from a server: whoever shows them escapes them. */
export interface Question {
  readonly kind: "text" | "password";
  /** What is asked for, without a colon: "Password for jane at ftp.example.org". */
  readonly message: string;
  /** What an empty answer stands for, shown with the question. */
  readonly initial?: string;
  /** Why it is asked: a line shown above the question. */
  readonly notice?: string;
}

/** Asks a person. @throws Interrupted; FtpullError "login" when the person doesn't answer */
export type Ask = (question: Question) => Promise<string>;

/** Everything but the URL that credentials can come from. */
export interface CredentialSources {
  /** --user: for URLs that have none. Text. */
  readonly user?: string | undefined;
  /** --password-file, read when a named user needs it. Octets. */
  readonly passwordFile?: (() => Promise<string>) | undefined;
  /** --ask-password: a person is asked before the connection is made. */
  readonly askFirst?: boolean | undefined;
  /** FTPULL_PASSWORD. Text; an empty one counts as none: a secret that a script left unset. */
  readonly environmentPassword?: string | undefined;
  /** Octets. */
  readonly netrc: readonly NetrcEntry[];
  /** --account. Text. */
  readonly account?: string | undefined;
  /** Who asks a person; undefined when nobody can be asked, or may be (--no-input). */
  readonly asker?: () => Ask | undefined;
  /** What was answered before in this run. */
  readonly remembered: RememberedAnswers;
}

interface RememberedAnswers {
  readonly logins: PromptCache<UserAndPassword>;
  readonly accounts: PromptCache<string>;
}

/** A memory for one run, to be put into every CredentialSources of it. */
export function rememberAnswers(): RememberedAnswers {
  return { logins: new PromptCache(), accounts: new PromptCache() };
}

/** A user and the password that is known without asking anybody; octets. */
export interface FirstLogin {
  readonly user: string;
  readonly password: string | undefined;
}

/**
 * The login to try first for `url`.
 * @throws FtpullError "file" or "login" from the password file
 */
export async function firstLogin(url: FtpUrl, sources: CredentialSources): Promise<FirstLogin> {
  const user = firstUser(url, sources);
  return { user, password: await knownPassword(url, user, sources) };
}

/**
 * Who logs in first for `url`, as octets: its user, which may be empty (`ftp://@h/`), else --user, else the login of the
 * host's netrc entry, or of the `default` entry where the host has none.
 */
export function firstUser(url: FtpUrl, sources: CredentialSources): string {
  if (url.user !== undefined) return url.user;
  if (sources.user !== undefined) return octets(sources.user);
  return findNetrc(sources.netrc, url.host)?.login ?? anonymous;
}

const anonymous = "anonymous";

/** RFC 1635 wants an address; the documents want one that doesn't exist (Y 3.2.2). */
const anonymousPassword = "ftpull@example.com";

/** Whether a login is anonymous: in any case of letters, as servers compare it. */
export function isAnonymous(user: string): boolean {
  return user.toLowerCase() === anonymous;
}

/** The first password of the order that needs nobody; undefined when a person comes first. */
async function knownPassword(
  url: FtpUrl,
  user: string,
  sources: CredentialSources,
): Promise<string | undefined> {
  if (url.password !== undefined) return url.password;
  if (isAnonymous(user)) return anonymousPassword;
  if (sources.passwordFile !== undefined) return sources.passwordFile();
  if (sources.askFirst === true) return undefined;
  if (sources.environmentPassword) return octets(sources.environmentPassword);
  return findNetrc(sources.netrc, url.host, user)?.password;
}

/** The account that is known without asking, also for an anonymous login; octets. */
export function knownAccount(
  url: FtpUrl,
  user: string,
  sources: CredentialSources,
): string | undefined {
  if (sources.account !== undefined) return octets(sources.account);
  const entry = findNetrc(sources.netrc, url.host, user);
  // An entry without a login is for named users.
  return isAnonymous(user) && entry?.login === undefined ? undefined : entry?.account;
}

/** What somebody typed, as a session sends it: UTF-8, one char an octet. */
export function octets(typed: string): string {
  return Buffer.from(typed, "utf8").toString("latin1");
}

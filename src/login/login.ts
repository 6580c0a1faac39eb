/**
 * A login on a server: user, password and account, from the sources, then by questions. Sessions of a server are opened
 * one at a time, so the next session has what the last question was answered with.
 */
import { FtpullError } from "../errors.ts";
import { hints } from "../hints.ts";
import type { Credentials, UserAndPassword } from "../ftp/credentials.ts";
import { decoderFor } from "../text/encoding.ts";
import { utf8Octets } from "../text/percent.ts";
import { keepSecret } from "../text/secrets.ts";
import { isAnonymous } from "../url/anonymous.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import {
  knownAccount,
  knownPassword,
  type LoginSources,
  type Question,
  userOf,
} from "./sources.ts";

/** @throws FtpullError "file" or "login" for the password file; as `ask` with --ask-password */
export async function credentialsFor(url: FtpUrl, sources: LoginSources): Promise<Credentials> {
  const user = userOf(url, sources);
  const { password, source } = await knownPassword(url, user, sources);
  const login = new LoginAnswers(url, sources, user);
  login.use(user, password, source);
  if (sources.askFirst === true) await login.password();
  return login;
}

const text = decoderFor();

class LoginAnswers implements Credentials {
  user: string;
  knownPassword: string | undefined;
  readonly #url: FtpUrl;
  readonly #sources: LoginSources;
  /** The source of the password; undefined without a password, or for one that a person has typed. */
  #passwordSource: string | undefined;
  #account: string | undefined;

  constructor(url: FtpUrl, sources: LoginSources, user: string) {
    this.#url = url;
    this.#sources = sources;
    this.user = user;
    this.#useAccount(knownAccount(url, user, sources));
  }

  async password(): Promise<string> {
    if (this.knownPassword !== undefined) return this.knownPassword;
    const password = await this.#askPassword(this.user, `no password for "${text(this.user)}"`);
    this.use(this.user, password);
    return password;
  }

  async retry(serverText: string): Promise<UserAndPassword> {
    const source = this.#passwordSource;
    const by = source === undefined ? "" : ` with the password from ${source}`;
    const failure = `cannot log in as "${text(this.user)}"${by}: ${serverText}`;
    let { user } = this;
    // An anonymous login has no password to correct.
    const isNamed = !isAnonymous(user);
    let password = isNamed ? await this.#askPassword(user, failure, failure) : "";
    if (password === "") {
      const message = `User at ${this.#url.host} [${text(user)}]`;
      const notice = isNamed ? undefined : failure;
      user = (await this.#ask({ kind: "text", message, notice }, failure)) || user;
      password = await this.#askPassword(user, failure);
    }
    this.use(user, password);
    return { user, password };
  }

  async account(serverText: string, refused: string | undefined): Promise<string> {
    if (this.#account === refused) {
      const failure = `no account for "${text(this.user)}": ${serverText}`;
      const message = `Account for ${text(this.user)} at ${this.#url.host}`;
      const question = { kind: "password", message, notice: serverText } as const;
      this.#useAccount(await this.#ask(question, failure, hints.account));
    }
    return this.#account ?? "";
  }

  /** Asks for a password, behind a notice for one in place of a refused one. */
  #askPassword(user: string, failure: string, notice?: string): Promise<string> {
    const remark = notice === undefined ? "" : " (leave it empty to give another user)";
    const message = `Password for ${text(user)} at ${this.#url.host}${remark}`;
    return this.#ask({ kind: "password", message, notice }, failure);
  }

  use(user: string, password: string | undefined, source?: string): void {
    if (user !== this.user) this.#useAccount(knownAccount(this.#url, user, this.#sources));
    this.user = user;
    this.knownPassword = password;
    this.#passwordSource = password === undefined ? undefined : source;
    if (!isAnonymous(user)) keepSecret(password ?? "", user);
  }

  #useAccount(account: string | undefined): void {
    this.#account = account;
    keepSecret(account ?? "", this.user);
  }

  async #ask(question: Question, failure: string, hint?: string): Promise<string> {
    const { ask } = this.#sources;
    const ways = this.#passwordSource === undefined ? hints.login : undefined;
    if (ask === undefined) throw new FtpullError("login", failure, { hint: hint ?? ways });
    return utf8Octets(await ask(question));
  }
}

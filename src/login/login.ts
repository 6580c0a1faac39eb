/**
 * A login on a server: user, password and account, from the sources, then by questions. Sessions of a server are opened
 * one at a time, so the next session has what the last question was answered with.
 */
import { FtpullError } from "../errors.ts";
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
  #passwordSource: string | undefined;
  #account: string | undefined;

  constructor(url: FtpUrl, sources: LoginSources, user: string) {
    this.#url = url;
    this.#sources = sources;
    this.user = user;
    this.#useAccount(knownAccount(url, user, sources));
  }

  async password(): Promise<string> {
    if (this.knownPassword === undefined)
      await this.#askPassword(this.user, `no password for "${text(this.user)}"`);
    return this.knownPassword ?? "";
  }

  async retry(serverText: string): Promise<UserAndPassword> {
    const notice = `cannot log in as "${text(this.user)}": ${serverText}`;
    // An anonymous login has no password to correct.
    if (isAnonymous(this.user)) await this.#askUser(notice, notice);
    else if (!(await this.#askPassword(this.user, notice, notice))) await this.#askUser(notice);
    return { user: this.user, password: this.knownPassword ?? "" };
  }

  async account(serverText: string, refused: string | undefined): Promise<string> {
    if (this.#account === refused) await this.#askAccount(serverText);
    return this.#account ?? "";
  }

  async #askUser(failure: string, notice?: string): Promise<void> {
    const message = `User at ${this.#url.host} [${text(this.user)}]`;
    const answer = await this.#ask({ kind: "text", message, notice }, failure);
    await this.#askPassword(answer === "" ? this.user : answer, failure);
  }

  /** With a notice an empty answer isn't used: false. */
  async #askPassword(user: string, failure: string, notice?: string): Promise<boolean> {
    const remark = notice === undefined ? "" : " (leave it empty to give another user)";
    const message = `Password for ${text(user)} at ${this.#url.host}${remark}`;
    const password = await this.#ask({ kind: "password", message, notice }, failure);
    if (notice !== undefined && password === "") return false;
    this.use(user, password, "the terminal");
    return true;
  }

  async #askAccount(notice: string): Promise<void> {
    const failure = `no account for "${text(this.user)}": ${notice}`;
    const message = `Account for ${text(this.user)} at ${this.#url.host}`;
    const hint = "give the account with --account or --netrc-file";
    this.#useAccount(await this.#ask({ kind: "password", message, notice }, failure, hint));
  }

  use(user: string, password: string | undefined, source: string | undefined): void {
    if (user !== this.user) this.#useAccount(knownAccount(this.#url, user, this.#sources));
    this.user = user;
    this.knownPassword = password;
    this.#passwordSource = source;
    if (!isAnonymous(user)) keepSecret(password ?? "", user);
  }

  #useAccount(account: string | undefined): void {
    this.#account = account;
    keepSecret(account ?? "", this.user);
  }

  async #ask(question: Question, failure: string, hint = this.#loginHint): Promise<string> {
    const { ask } = this.#sources;
    if (ask === undefined) throw new FtpullError("login", failure, { hint });
    return utf8Octets(await ask(question));
  }

  get #loginHint(): string {
    const ways = "give the password with --password-file, FTPULL_PASSWORD or --netrc-file";
    if (isAnonymous(this.user)) return `name a user with --user, and ${ways}`;
    if (this.knownPassword === undefined) return ways;
    return `the server refused the login with the password from ${this.#passwordSource}: check user and password`;
  }
}

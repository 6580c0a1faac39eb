/** A login on a server: user, password and account, from the sources, then by questions that serve all sessions. */
import { FtpullError } from "../errors.ts";
import type { Credentials, RefusedLogin, UserAndPassword } from "../ftp/credentials.ts";
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

/** The logins of a run. URLs of one server with the same user and password share one, also at once. */
export class Logins {
  readonly #sources: LoginSources;
  readonly #logins = new Map<string, Promise<Login>>();

  constructor(sources: LoginSources) {
    this.#sources = sources;
  }

  /** @throws FtpullError "file" or "login" for the password file; as `ask` with --ask-password */
  async of(url: FtpUrl): Promise<Credentials> {
    const { scheme, host, port, password } = url;
    const key = JSON.stringify([scheme, host, port, userOf(url, this.#sources), password]);
    const login = this.#logins.get(key) ?? Login.begin(url, this.#sources);
    this.#logins.set(key, login);
    const credentials = await login;
    if (this.#sources.askFirst === true) await credentials.password();
    return credentials;
  }
}

const text = decoderFor();

class Login implements Credentials {
  user: string;
  knownPassword: string | undefined;
  readonly #url: FtpUrl;
  readonly #sources: LoginSources;
  #passwordSource: string | undefined;
  #account: string | undefined;
  /** The question that is being asked: the answer is for all who wait. */
  #question: Promise<unknown> | undefined;

  static async begin(url: FtpUrl, sources: LoginSources): Promise<Login> {
    const user = userOf(url, sources);
    const { password, source } = await knownPassword(url, user, sources);
    const login = new Login(url, sources, user);
    login.#use(user, password, source);
    return login;
  }

  private constructor(url: FtpUrl, sources: LoginSources, user: string) {
    this.#url = url;
    this.#sources = sources;
    this.user = user;
    this.#useAccount(knownAccount(url, user, sources));
  }

  async password(): Promise<string> {
    const failure = `no password for "${text(this.user)}"${this.#whyNone}`;
    if (this.knownPassword === undefined)
      await this.#once(() => this.#askPassword(this.user, failure));
    return this.knownPassword ?? "";
  }

  async retry(serverText: string, refused: RefusedLogin): Promise<UserAndPassword> {
    const isUsed = refused.user === this.user && refused.password === this.knownPassword;
    if (isUsed) await this.#once(() => this.#askAgain(serverText));
    return { user: this.user, password: this.knownPassword ?? "" };
  }

  async account(serverText: string, refused: string | undefined): Promise<string> {
    if (this.#account === refused) await this.#once(() => this.#askAccount(serverText));
    return this.#account ?? "";
  }

  #once(question: () => Promise<unknown>): Promise<unknown> {
    this.#question ??= question().finally(() => {
      this.#question = undefined;
    });
    return this.#question;
  }

  async #askAgain(serverText: string): Promise<void> {
    const notice = `cannot log in as "${text(this.user)}": ${serverText}`;
    // An anonymous login has no password to correct.
    if (isAnonymous(this.user)) return this.#askUser(notice, notice);
    const isAnswered = await this.#askPassword(this.user, notice, notice);
    if (!isAnswered) await this.#askUser(notice);
  }

  async #askUser(failure: string, notice?: string): Promise<void> {
    const initial = text(this.user);
    const message = `User at ${this.#url.host}`;
    const answer = await this.#ask({ kind: "text", message, initial, notice }, failure);
    // The octets of a user that isn't UTF-8 are kept.
    const user = answer === utf8Octets(initial) ? this.user : answer;
    await this.#askPassword(user, failure);
  }

  /** With a notice an empty answer isn't used: false. */
  async #askPassword(user: string, failure: string, notice?: string): Promise<boolean> {
    const remark = notice === undefined ? "" : " (leave it empty to give another user)";
    const message = `Password for ${text(user)} at ${this.#url.host}${remark}`;
    const password = await this.#ask({ kind: "password", message, notice }, failure);
    if (notice !== undefined && password === "") return false;
    this.#use(user, password, "the terminal");
    return true;
  }

  async #askAccount(notice: string): Promise<void> {
    const failure = `no account for "${text(this.user)}": ${notice}`;
    const message = `Account for ${text(this.user)} at ${this.#url.host}`;
    const hint = "give the account with --account or --netrc-file";
    this.#useAccount(await this.#ask({ kind: "password", message, notice }, failure, hint));
  }

  #use(user: string, password: string | undefined, source: string | undefined): void {
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

  get #whyNone(): string {
    const { askFirst, environmentPassword } = this.#sources;
    if (askFirst === true) return ": there is no terminal to ask on";
    return environmentPassword === undefined ? "" : ": FTPULL_PASSWORD is set, but empty";
  }

  get #loginHint(): string {
    const ways = "give the password with --password-file, FTPULL_PASSWORD or --netrc-file";
    if (isAnonymous(this.user)) return `name a user with --user, and ${ways}`;
    const otherWay = this.#url.user === undefined ? "; --no-netrc logs in anonymously" : "";
    if (this.knownPassword === undefined) return ways + otherWay;
    const words = `the server refused the login with the password from ${this.#passwordSource}`;
    return `${words}: check user and password${otherWay}`;
  }
}

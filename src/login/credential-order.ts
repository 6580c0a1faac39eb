/** The credentials of a login: from the sources, then by questions, whose answers serve all URLs of a server. */
import { FtpullError } from "../errors.ts";
import type { Credentials, UserAndPassword } from "../ftp/credentials.ts";
import { decoderFor } from "../text/encoding.ts";
import { utf8Octets } from "../text/percent.ts";
import { keepSecret } from "../text/secrets.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import { isAnonymous } from "../url/anonymous.ts";
import {
  type Answers,
  type CredentialSources,
  firstUser,
  knownPassword,
  type KnownPassword,
  type Question,
} from "./credential-sources.ts";
import { findNetrc } from "./netrc.ts";

/** @throws FtpullError "file" or "login" for the password file; as `ask` with --ask-password */
export async function credentialsFor(
  url: FtpUrl,
  sources: CredentialSources,
): Promise<Credentials> {
  const user = firstUser(url, sources);
  const known = await knownPassword(url, user, sources);
  const credentials = new OrderedCredentials(url, sources, user, known);
  await credentials.recall();
  if (sources.askFirst === true) await credentials.password();
  return credentials;
}

const text = decoderFor();

class OrderedCredentials implements Credentials {
  user: string;
  knownPassword: string | undefined;
  readonly #url: FtpUrl;
  readonly #sources: CredentialSources;
  readonly #loginKey: string;
  #passwordSource: string | undefined;
  /** The answers in use: the server refuses these if it refuses the login or the account. */
  #loginAnswer: Promise<UserAndPassword> | undefined;
  #accountAnswer: Promise<string> | undefined;

  constructor(url: FtpUrl, sources: CredentialSources, user: string, known: KnownPassword) {
    this.user = user;
    this.knownPassword = known.password;
    this.#passwordSource = known.source;
    this.#url = url;
    this.#sources = sources;
    this.#loginKey = this.#keyOf(user, this.knownPassword);
    this.#concealPassword();
    keepSecret(this.knownAccount ?? "", user);
  }

  /** An anonymous login may have an account, too, but not from an entry of netrc that names no user. */
  get knownAccount(): string | undefined {
    const { account, netrc } = this.#sources;
    if (account !== undefined) return utf8Octets(account);
    const entry = findNetrc(netrc, this.#url.host, this.user);
    if (isAnonymous(this.user) && entry?.login === undefined) return undefined;
    return entry?.account;
  }

  async recall(): Promise<void> {
    const answer = this.#sources.logins.get(this.#loginKey);
    if (answer !== undefined) await this.#use(answer);
  }

  async password(): Promise<string> {
    const { user, knownPassword } = this;
    if (knownPassword !== undefined) return knownPassword;
    const failure = `no password for "${text(user)}"${this.#whyNone}`;
    const login = await this.#answered(() => this.#askPassword(user, failure));
    return login.password;
  }

  async retry(serverText: string): Promise<UserAndPassword> {
    const failure = `cannot log in as "${text(this.user)}": ${serverText}`;
    if (this.#sources.ask === undefined) throw loginFailure(failure, this.#loginHint);
    return this.#answered(async () => {
      // An anonymous login has no password to correct.
      if (isAnonymous(this.user)) return this.#askLogin(failure, { notice: failure });
      const remark = " (leave it empty to give another user)";
      const login = await this.#askPassword(this.user, failure, { notice: failure, remark });
      return login.password === "" ? this.#askLogin(failure) : login;
    });
  }

  async account(serverText: string, refused: boolean): Promise<string> {
    const { accounts } = this.#sources;
    const { knownAccount } = this;
    const key = this.#keyOf(this.user);
    // An answer means that the server has refused the known account.
    const isRefused = refused || accounts.has(key);
    if (knownAccount !== undefined && !isRefused) return knownAccount;
    const failure = this.#accountFailure(serverText);
    if (refused && this.#sources.ask === undefined) throw failure;
    const refusedAnswer = refused ? this.#accountAnswer : undefined;
    const question = (): Promise<string> => this.#askAccount(serverText, failure);
    this.#accountAnswer = answerTo(question, accounts, key, refusedAnswer);
    const account = await this.#accountAnswer;
    keepSecret(account, this.user);
    return account;
  }

  #concealPassword(): void {
    if (!isAnonymous(this.user)) keepSecret(this.knownPassword ?? "", this.user);
  }

  #answered(question: () => Promise<UserAndPassword>): Promise<UserAndPassword> {
    return this.#use(answerTo(question, this.#sources.logins, this.#loginKey, this.#loginAnswer));
  }

  async #use(answer: Promise<UserAndPassword>): Promise<UserAndPassword> {
    this.#loginAnswer = answer;
    const login = await answer;
    this.user = login.user;
    this.knownPassword = login.password;
    this.#passwordSource = "the terminal";
    this.#concealPassword();
    return login;
  }

  async #askLogin(failure: string, { notice }: Pick<Question, "notice"> = {}) {
    const initial = text(this.user);
    const message = `User at ${this.#url.host}`;
    const answer = await this.#ask({ kind: "text", message, initial, notice }, failure);
    // The octets of a user that isn't UTF-8 are kept.
    const user = answer === utf8Octets(initial) ? this.user : answer;
    return this.#askPassword(user, failure);
  }

  async #askPassword(
    user: string,
    failure: string,
    shown: { notice?: string; remark?: string } = {},
  ) {
    const { notice, remark = "" } = shown;
    const message = `Password for ${text(user)} at ${this.#url.host}${remark}`;
    return { user, password: await this.#ask({ kind: "password", message, notice }, failure) };
  }

  #accountFailure(serverText: string): FtpullError {
    const hint = "give the account with --account or --netrc-file";
    return loginFailure(`no account for "${text(this.user)}": ${serverText}`, hint);
  }

  #askAccount(notice: string, failure: FtpullError): Promise<string> {
    const message = `Account for ${text(this.user)} at ${this.#url.host}`;
    return this.#ask({ kind: "password", message, notice }, failure.message, failure.hint);
  }

  async #ask(question: Question, failure: string, hint = this.#loginHint): Promise<string> {
    const { ask } = this.#sources;
    if (ask === undefined) throw loginFailure(failure, hint);
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

  #keyOf(...login: unknown[]): string {
    const { scheme, host, port } = this.#url;
    return JSON.stringify([scheme, host, port, ...login]);
  }
}

function loginFailure(message: string, hint: string): FtpullError {
  return new FtpullError("login", message, { hint });
}

/** The stored answer, unless the server refused it; else the answer to `question`, which is stored unless it fails. */
function answerTo<Answer>(
  question: () => Promise<Answer>,
  answers: Answers<Answer>,
  key: string,
  refusedAnswer: Promise<Answer> | undefined,
): Promise<Answer> {
  const stored = answers.get(key);
  if (stored !== undefined && stored !== refusedAnswer) return stored;
  const answer = question();
  answers.set(key, answer);
  answer.catch(() => {
    if (answers.get(key) === answer) answers.delete(key);
  });
  return answer;
}

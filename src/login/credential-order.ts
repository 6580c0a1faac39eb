/** Credentials: from the sources, then by questions, whose answers serve all URLs of a server. */
import { FtpullError } from "../errors.ts";
import type { Credentials, UserAndPassword } from "../ftp/credentials.ts";
import { decoderFor } from "../text/encoding.ts";
import { utf8Octets } from "../text/percent.ts";
import { keepSecret } from "../text/secrets.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import { isAnonymous } from "./anonymous.ts";
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
  readonly #answerKey: string;
  readonly #source: string;
  #loginAnswer: Promise<UserAndPassword> | undefined;
  #accountAnswer: Promise<string> | undefined;

  constructor(url: FtpUrl, sources: CredentialSources, user: string, known: KnownPassword) {
    this.user = user;
    [this.knownPassword, this.#source] = known;
    this.#url = url;
    this.#sources = sources;
    this.#answerKey = this.#keyOf(user, this.knownPassword);
    this.#concealPassword();
    keepSecret(this.knownAccount ?? "", user);
  }

  /** An anonymous login may have an account, too, but not by an entry of netrc that names no user. */
  get knownAccount(): string | undefined {
    const { account, netrc } = this.#sources;
    if (account !== undefined) return utf8Octets(account);
    const entry = findNetrc(netrc, this.#url.host, this.user);
    return isAnonymous(this.user) && entry?.login === undefined ? undefined : entry?.account;
  }

  async recall(): Promise<void> {
    const answer = this.#sources.logins.get(this.#answerKey);
    if (answer !== undefined) await this.#use(answer);
  }

  async password(): Promise<string> {
    const { user, knownPassword } = this;
    if (knownPassword !== undefined) return knownPassword;
    const failure = `no password for "${text(user)}"${this.#whyNone}`;
    return (await this.#answered(() => this.#askPassword(user, failure))).password;
  }

  async retry(serverText: string): Promise<UserAndPassword> {
    const failure = `cannot log in as "${text(this.user)}": ${serverText}`;
    return this.#answered(async () => {
      // An anonymous login has no password to correct.
      if (isAnonymous(this.user)) return this.#askLogin(failure, failure);
      const meaning = " (leave it empty to give another user)";
      const login = await this.#askPassword(this.user, failure, meaning, failure);
      return login.password === "" ? this.#askLogin(failure) : login;
    });
  }

  async account(serverText: string, refused: boolean): Promise<string> {
    const { accounts } = this.#sources;
    const key = this.#keyOf(this.user);
    const { knownAccount: known } = this;
    if (known !== undefined && !refused && !accounts.has(key)) return known;
    const failure = `no account for "${text(this.user)}": ${serverText}`;
    const message = `Account for ${text(this.user)} at ${this.#url.host}`;
    const question = { kind: "password", message, notice: serverText } as const;
    const hint = "give the account with --account or --netrc-file";
    const ask = (): Promise<string> => this.#ask(question, failure, hint);
    const last = refused ? this.#accountAnswer : undefined;
    this.#accountAnswer = answerTo(ask, accounts, key, last);
    keepSecret(await this.#accountAnswer, this.user);
    return this.#accountAnswer;
  }

  #concealPassword(): void {
    if (!isAnonymous(this.user)) keepSecret(this.knownPassword ?? "", this.user);
  }

  #answered(question: () => Promise<UserAndPassword>): Promise<UserAndPassword> {
    return this.#use(answerTo(question, this.#sources.logins, this.#answerKey, this.#loginAnswer));
  }

  async #use(answer: Promise<UserAndPassword>): Promise<UserAndPassword> {
    this.#loginAnswer = answer;
    const login = await answer;
    this.user = login.user;
    this.knownPassword = login.password;
    this.#concealPassword();
    return login;
  }

  async #askLogin(failure: string, notice?: string): Promise<UserAndPassword> {
    const initial = text(this.user);
    const message = `User at ${this.#url.host}`;
    const answer = await this.#ask({ kind: "text", message, initial, notice }, failure);
    return this.#askPassword(answer === utf8Octets(initial) ? this.user : answer, failure);
  }

  async #askPassword(user: string, failure: string, meaning = "", notice?: string) {
    const message = `Password for ${text(user)} at ${this.#url.host}${meaning}`;
    return { user, password: await this.#ask({ kind: "password", message, notice }, failure) };
  }

  /** The answer as octets. @throws FtpullError "login" with the words `failure` if it can't be asked */
  async #ask(question: Question, failure: string, hint = this.#loginHint): Promise<string> {
    const answer = this.#sources.ask?.(question);
    if (answer === undefined) throw new FtpullError("login", failure, { hint });
    return utf8Octets(await answer);
  }

  get #whyNone(): string {
    const { askFirst, environmentPassword } = this.#sources;
    if (askFirst === true) return ": there is no terminal to ask on";
    return environmentPassword === undefined ? "" : ": FTPULL_PASSWORD is set, but empty";
  }

  get #loginHint(): string {
    const ways = "give the password with --password-file, FTPULL_PASSWORD or --netrc-file";
    if (isAnonymous(this.user)) return `name a user with --user, and ${ways}`;
    const isChosen = (this.#url.user ?? this.#sources.user) !== undefined;
    const other = isChosen ? "" : "; --no-netrc logs in anonymously";
    if (this.knownPassword === undefined) return ways + other;
    return `the server refused the login with the password from ${this.#source}: check user and password${other}`;
  }

  #keyOf(...login: unknown[]): string {
    const { scheme, host, port } = this.#url;
    return JSON.stringify([scheme, host, port, ...login]);
  }
}

/** The stored answer, unless it is the `refused` one; else `question`'s. Errors aren't kept. */
function answerTo<Answer>(
  question: () => Promise<Answer>,
  answers: Answers<Answer>,
  key: string,
  refused: Promise<Answer> | undefined,
): Promise<Answer> {
  const stored = answers.get(key);
  if (stored !== undefined && stored !== refused) return stored;
  const answer = question();
  answers.set(key, answer);
  answer.catch(() => {
    if (answers.get(key) === answer) answers.delete(key);
  });
  return answer;
}

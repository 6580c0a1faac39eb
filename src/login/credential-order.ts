/** Credentials: from the sources, then by questions, whose answers serve all URLs of a server. */
import { FtpullError } from "../errors.ts";
import type { Credentials, UserAndPassword } from "../ftp/credentials.ts";
import { utf8Octets } from "../text/percent.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Ask, CredentialSources } from "./credential-sources.ts";
import { firstUser, isAnonymous, knownAccount, knownPassword } from "./credential-sources.ts";

/** @throws FtpullError "file" or "login" for the password file; as `Ask` with --ask-password */
export async function credentialsFor(
  url: FtpUrl,
  sources: CredentialSources,
): Promise<Credentials> {
  const user = firstUser(url, sources);
  const password = await knownPassword(url, user, sources);
  const credentials = new OrderedCredentials(url, sources, { user, password });
  await credentials.recall();
  if (sources.askFirst === true) await credentials.password();
  return credentials;
}

/** As octets; without a password if that has to be asked for. */
interface Login {
  readonly user: string;
  readonly password: string | undefined;
}

class OrderedCredentials implements Credentials {
  readonly #url: FtpUrl;
  readonly #sources: CredentialSources;
  /** Answers are kept under the login that they complete or replace. */
  readonly #key: string;
  #login: Login;
  #loginAnswer: Promise<UserAndPassword> | undefined;
  #accountAnswer: Promise<string> | undefined;

  constructor(url: FtpUrl, sources: CredentialSources, first: Login) {
    this.#url = url;
    this.#sources = sources;
    this.#login = first;
    this.#key = JSON.stringify([url.scheme, url.host, url.port, first.user, first.password]);
  }

  get user(): string {
    return this.#login.user;
  }

  get knownPassword(): string | undefined {
    return this.#login.password;
  }

  get knownAccount(): string | undefined {
    return knownAccount(this.#url, this.user, this.#sources);
  }

  /** Uses the answer for the same login of another URL, if there is one. */
  async recall(): Promise<void> {
    this.#loginAnswer = this.#sources.remembered.logins.get(this.#key);
    if (this.#loginAnswer !== undefined) this.#login = await this.#loginAnswer;
  }

  async password(): Promise<string> {
    const { user, password } = this.#login;
    if (password !== undefined) return password;
    const ask = this.#asker(`no password for "${text(user)}"`);
    return (await this.#answered(() => this.#askPassword(ask, user))).password;
  }

  async retry(serverText: string): Promise<UserAndPassword> {
    const failure = `cannot log in as "${text(this.user)}": ${serverText}`;
    const ask = this.#asker(failure);
    return this.#answered(async () => {
      const { user } = this;
      // An anonymous login has no password to correct.
      if (isAnonymous(user)) return this.#askPassword(ask, await this.#askUser(ask, failure));
      const message = `${this.#passwordFor(user)} (empty: another user)`;
      const password = utf8Octets(await ask({ kind: "password", message, notice: failure }));
      if (password !== "") return { user, password };
      return this.#askPassword(ask, await this.#askUser(ask));
    });
  }

  async account(serverText: string, refused: boolean): Promise<string> {
    const { accounts } = this.#sources.remembered;
    const key = JSON.stringify([this.#url.scheme, this.#url.host, this.#url.port, this.user]);
    if (!refused && accounts.get(key) === undefined) {
      const known = this.knownAccount;
      if (known !== undefined) return known;
    }
    const ask = this.#accountQuestion(serverText);
    this.#accountAnswer = accounts.ask(key, refused ? this.#accountAnswer : undefined, ask);
    return this.#accountAnswer;
  }

  #accountQuestion(serverText: string): () => Promise<string> {
    const failure = `no account for "${text(this.user)}": ${serverText}`;
    const ask = this.#asker(failure, "give the account with --account or --netrc-file");
    const message = `Account for ${text(this.user)} at ${this.#url.host}`;
    return async () => utf8Octets(await ask({ kind: "password", message, notice: serverText }));
  }

  /** The answer that another session with the same login got meanwhile, or that of `question`. */
  async #answered(question: () => Promise<UserAndPassword>): Promise<UserAndPassword> {
    const { logins } = this.#sources.remembered;
    this.#loginAnswer = logins.ask(this.#key, this.#loginAnswer, question);
    const login = await this.#loginAnswer;
    this.#login = login;
    return login;
  }

  async #askUser(ask: Ask, notice?: string): Promise<string> {
    const initial = text(this.user);
    const message = `User at ${this.#url.host}`;
    const answer = await ask({ kind: "text", message, initial, notice });
    return answer === initial ? this.user : utf8Octets(answer);
  }

  async #askPassword(ask: Ask, user: string): Promise<UserAndPassword> {
    const message = this.#passwordFor(user);
    return { user, password: utf8Octets(await ask({ kind: "password", message })) };
  }

  #passwordFor(user: string): string {
    return `Password for ${text(user)} at ${this.#url.host}`;
  }

  #asker(failure: string, hint?: string): Ask {
    const ask = this.#sources.asker?.();
    if (ask !== undefined) return ask;
    throw new FtpullError("login", failure, { hint: hint ?? loginHint(this.user) });
  }
}

function loginHint(user: string): string {
  const password = "--password-file, FTPULL_PASSWORD or --netrc-file";
  return isAnonymous(user)
    ? `name a user with --user, and give the password with ${password}`
    : `give the password with ${password}`;
}

function text(sent: string): string {
  return Buffer.from(sent, "latin1").toString("utf8");
}

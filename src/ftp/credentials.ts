/** Questions of a session for users, passwords and accounts. login/ implements them. */

export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

/**
 * The credentials of one login, as octets. Methods may ask the user. @throws FtpullError "login" if
 * no question is possible; Interrupted
 */
export interface Credentials {
  readonly user: string;
  /** Undefined if it has to be asked for; a known password lets PASS be pipelined. */
  readonly knownPassword: string | undefined;
  /** The password for `user`, after 331. */
  password(): Promise<string>;
  /** Other credentials, after 530; the question shows `serverText`. */
  retry(serverText: string): Promise<UserAndPassword>;
  /** Undefined if it has to be asked for; a known account lets ACCT be pipelined. */
  readonly knownAccount: string | undefined;
  /** The account that the server demands; another one if the last was `refused`. */
  account(serverText: string, refused: boolean): Promise<string>;
}

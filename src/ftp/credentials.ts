/**
 * How a session asks for what it needs to log in. The session only knows this interface;
 * where passwords come from (URL, files, environment, a person) is the implementer's affair.
 */

/** A user name and the password that goes with it, as octets. */
export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

export interface Credentials {
  /** What USER sends first, as octets. */
  readonly user: string;
  /** The password when it is known without asking anybody; lets PASS be sent ahead. */
  readonly knownPassword: string | undefined;
  /**
   * The password for `user` after 331: found or asked for.
   * @throws FtpullError "login" when there is none and nobody can be asked; Interrupted
   */
  password(): Promise<string>;
  /**
   * Other credentials after 530, asked for together with the server's words.
   * @throws FtpullError "login" when nobody can be asked; Interrupted
   */
  retry(serverText: string): Promise<UserAndPassword>;
  /** The account when it is known without asking; lets ACCT travel with what follows it. */
  readonly knownAccount: string | undefined;
  /**
   * The account that the server wants; another one when it has `refused` the last.
   * @throws FtpullError "login" when there is none and nobody can be asked; Interrupted
   */
  account(serverText: string, refused: boolean): Promise<string>;
}

/** How a session asks for users, passwords and accounts. login/ implements it. */

/** A user name and the password that goes with it, as octets. */
export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

export interface Credentials {
  /** The first user, as octets. */
  readonly user: string;
  /** The password if it is known without a question: PASS can be pipelined. */
  readonly knownPassword: string | undefined;
  /**
   * The password for `user` after 331: found or asked for.
   * @throws FtpullError "login" if there is none and no question is possible; Interrupted
   */
  password(): Promise<string>;
  /**
   * Other credentials after 530; the question shows the server's words.
   * @throws FtpullError "login" if no question is possible; Interrupted
   */
  retry(serverText: string): Promise<UserAndPassword>;
  /** The account if it is known without a question: ACCT can be pipelined. */
  readonly knownAccount: string | undefined;
  /**
   * The account that the server demands; another one if it has `refused` the last.
   * @throws FtpullError "login" if there is none and no question is possible; Interrupted
   */
  account(serverText: string, refused: boolean): Promise<string>;
}

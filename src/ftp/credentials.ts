/** Questions of a session for users, passwords and accounts. login/ implements them. */

export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

/**
 * The credentials of a login, as octets. Known ones are sent at once, others are asked for. @throws FtpullError
 * "login" if none can be asked; Interrupted
 */
export interface Credentials {
  readonly user: string;
  readonly knownPassword: string | undefined;
  password(): Promise<string>;
  /** Others in place of the refused ones. */
  retry(serverText: string): Promise<UserAndPassword>;
  account(serverText: string, refused: string | undefined): Promise<string>;
}

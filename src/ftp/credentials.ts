/** Questions of a session for users, passwords and accounts. login/ implements them. */

export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

/** The credentials of a login, as octets. @throws FtpullError "login" if none can be asked; Interrupted */
export interface Credentials {
  readonly user: string;
  /** A known password or account can be pipelined; an undefined one has to be asked for. */
  readonly knownPassword: string | undefined;
  password(): Promise<string>;
  retry(serverText: string): Promise<UserAndPassword>;
  readonly knownAccount: string | undefined;
  account(serverText: string, refused: boolean): Promise<string>;
}

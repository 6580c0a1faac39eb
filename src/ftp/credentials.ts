/** Questions of a session for users, passwords and accounts. login/ implements them. */
import { type FtpullError, NetworkFailure } from "../errors.ts";

export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

export class HungUpAtQuestion extends NetworkFailure {
  constructor({ message, cause }: FtpullError) {
    super(message, cause);
  }
}

/**
 * The credentials of a login, as octets. Known ones are sent at once, others are asked for. @throws FtpullError
 * "login" if none can be asked; Interrupted
 */
export interface Credentials {
  readonly user: string;
  readonly knownPassword: string | undefined;
  password(): Promise<string>;
  retry(serverText: string): Promise<UserAndPassword>;
  readonly knownAccount: string | undefined;
  account(serverText: string, refused: boolean): Promise<string>;
}

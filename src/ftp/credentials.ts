/** Questions of a session for users, passwords and accounts. login/ implements them. */
import { type FtpullError, NetworkFailure } from "../errors.ts";

export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

export type HangsUp = () => Promise<boolean>;

export class HungUpAtQuestion extends NetworkFailure {
  constructor({ message, cause }: FtpullError) {
    super(message, cause);
  }
}

/**
 * The credentials of a login, as octets. Known ones can be pipelined, others are asked for: not after the server
 * has hung up (`hangsUp`), when an answer would come too late. @throws FtpullError "login" if none can be asked,
 * or a refusing server hangs up; Interrupted
 */
export interface Credentials {
  readonly user: string;
  readonly knownPassword: string | undefined;
  password(): Promise<string>;
  retry(serverText: string, hangsUp: HangsUp): Promise<UserAndPassword>;
  readonly knownAccount: string | undefined;
  account(serverText: string, refused: boolean, hangsUp: HangsUp): Promise<string>;
}

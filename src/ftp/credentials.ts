/** Questions of a session for users, passwords and accounts. login/ implements them. */
import { NetworkFailure } from "../errors.ts";

export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

/** The password is undefined where USER alone was refused, and none was known. */
export type RefusedLogin = Pick<UserAndPassword, "user"> & {
  readonly password: string | undefined;
};

/** The connection was lost while a person was asked: the next session has the answer. */
export class HungUpAtQuestion extends NetworkFailure {}

/** The connection was lost while a named user's password waited for its reply: it may have been judged. */
export class LostAtPassword extends NetworkFailure {}

/**
 * The credentials of a login, as octets. Known ones are sent at once, others are asked for. @throws FtpullError
 * "login" if none can be asked; Interrupted
 */
export interface Credentials {
  readonly user: string;
  readonly knownPassword: string | undefined;
  password(): Promise<string>;
  /** Others than the refused ones, which another session may have learnt already. */
  retry(serverText: string, refused: RefusedLogin): Promise<UserAndPassword>;
  account(serverText: string, refused: string | undefined): Promise<string>;
}

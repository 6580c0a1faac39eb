/** Questions of a session for users, passwords and accounts. login/ implements them. */
import { type FtpullError, NetworkFailure } from "../errors.ts";

export interface UserAndPassword {
  readonly user: string;
  readonly password: string;
}

/** True if the server has hung up, or does so at once: an answer to a question would come too late. */
export type HangsUp = () => Promise<boolean>;

/** The server has hung up while a person was asked for a password: the answer needs a new connection. */
export class HungUpAtQuestion extends NetworkFailure {
  constructor({ message, cause }: FtpullError) {
    super(message, cause);
  }
}

/** The credentials of a login, as octets. @throws FtpullError "login" if none can be asked; Interrupted */
export interface Credentials {
  readonly user: string;
  /** A known password or account can be pipelined; an undefined one has to be asked for. */
  readonly knownPassword: string | undefined;
  password(): Promise<string>;
  /** Other credentials after a refusal. @throws FtpullError "login", too, if the server hangs up */
  retry(serverText: string, hangsUp: HangsUp): Promise<UserAndPassword>;
  readonly knownAccount: string | undefined;
  /** The account; after a refusal another one. @throws as `retry` does after a refusal */
  account(serverText: string, refused: boolean, hangsUp: HangsUp): Promise<string>;
}

/** Errors and exit statuses. Each layer converts the errors of the libraries that it calls. */
import { getSystemErrorMap } from "node:util";

/** The exit status of each kind of failure; the numbers up to 8 are wget's. */
export const exitStatus = {
  other: 1,
  usage: 2,
  file: 3,
  network: 4,
  tls: 5,
  login: 6,
  protocol: 7,
  refused: 8,
  integrity: 9,
} as const;

export type ErrorKind = keyof typeof exitStatus;

/**
 * Why something failed, where a caller does more about it than to report it, or to try again if it is transient.
 *
 * | reason | kind | what happened: what follows |
 * | --- | --- | --- |
 * | misplaced reply | network | a reply that its command can't have: the session ends, the next one sends one command at a time |
 * | write unanswered | network | the connection ended, or was silent, with commands that shared a write: the same |
 * | untrusted data | network | bytes came over such a session: the file begins again |
 * | lost at password | network | the connection ended behind a named user's PASS: it is sent once more only |
 * | lost at question | network | the connection ended while a person was asked: another session, without a try |
 * | no way back | network | no CWD leads to the login directory: a new session, without a try |
 * | unusable port | network, protocol | a data port can't be reached, or is another protocol's: PASV may name another one |
 * | refused by proxy | network | the proxy permits no tunnel: GET, if the task has one; nor GET: CONNECT's failure is shown |
 * | data cut | network | the data connection was closed or broke: a reply may say why |
 * | data unclosed | network | TLS without close_notify: only the count can make a file whole; a listing is cut (9) |
 * | transfer refused | the reply's | RETR was refused before any byte: is the name a directory's? |
 * | transfer broken off | the reply's | a negative reply behind bytes: the count decides; the transfer can be resumed |
 * | restart refused | the reply's | the server can't begin in the middle: the file begins again |
 * | begin again | integrity | what is stored is of no use: the file begins again, where it can |
 * | cannot continue | integrity | with -c alone, the file here isn't the beginning of the server's: it fails, and stays |
 * | name taken | file | another run writes there: the next number, or a failure |
 * | enough read | other | a sink has all that it wants: the transfer ends without a failure |
 * | interrupted | other | a signal came (`Interrupted`): nothing is tried again, and the run ends |
 * | output closed | file | the reader of standard output or a pipe has gone: the run ends without a message |
 */
export type Reason =
  | ("misplaced reply" | "write unanswered" | "untrusted data")
  | ("lost at password" | "lost at question" | "no way back")
  | ("unusable port" | "refused by proxy" | "data cut" | "data unclosed")
  | ("transfer refused" | "transfer broken off" | "restart refused")
  | ("begin again" | "cannot continue" | "name taken" | "enough read")
  | ("interrupted" | "output closed");

export interface ErrorDetails {
  readonly transient?: boolean | undefined;
  readonly reason?: Reason | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/**
 * An error for the user: what failed, then the text of the server or the system, with no URL and no final period;
 * `hint` is one line of advice, in lower case. Text of a server is raw: it is escaped when it is shown.
 */
export class FtpullError extends Error {
  readonly kind: ErrorKind;
  readonly transient: boolean;
  readonly reason: Reason | undefined;
  readonly hint: string | undefined;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "FtpullError";
    this.kind = kind;
    this.transient = details.transient ?? false;
    this.reason = details.reason;
    this.hint = details.hint;
  }

  get status(): number {
    return exitStatus[this.kind];
  }

  with(changes: ErrorDetails & { kind?: ErrorKind; message?: string }): FtpullError {
    const { transient, reason, hint } = this;
    const { kind = this.kind, message = this.message, ...details } = changes;
    return new FtpullError(kind, message, { transient, reason, hint, cause: this, ...details });
  }
}

export function hasReason(
  error: unknown,
  ...reasons: readonly Reason[]
): error is FtpullError & { readonly reason: Reason } {
  return error instanceof FtpullError && reasons.some((reason) => reason === error.reason);
}

export function usageError(message: string, hint?: string): FtpullError {
  return new FtpullError("usage", message, { hint });
}

/** A failure of the network or the peer that may pass. */
export function networkError(message: string, details?: ErrorDetails): FtpullError {
  return new FtpullError("network", message, { transient: true, ...details });
}

export function isNetworkError(error: unknown): error is FtpullError {
  return error instanceof FtpullError && error.kind === "network";
}

export function toFtpullError(thrown: unknown): FtpullError {
  if (thrown instanceof FtpullError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new FtpullError("other", message, { cause: thrown });
}

export function systemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, errno } = error as NodeJS.ErrnoException;
  if (code === "ENOTFOUND") return "no such host";
  const entry = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  return entry?.[1] ?? error.message;
}

export function mergeStatuses(one: number, other: number): number {
  const above1 = [one, other].filter((status) => status > 1);
  return above1.length > 0 ? Math.min(...above1) : Math.max(one, other);
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** A signal ended the run. */
export class Interrupted extends FtpullError {
  readonly signal: keyof typeof signalNumbers;

  constructor(signal: keyof typeof signalNumbers) {
    super("other", `interrupted by ${signal}`, { reason: "interrupted" });
    this.name = "Interrupted";
    this.signal = signal;
  }

  override get status(): number {
    return 128 + signalNumbers[this.signal];
  }
}

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

interface ErrorDetails {
  transient?: boolean;
  hint?: string | undefined;
  cause?: unknown;
}

/**
 * An error for the user: what failed, then the text of the server or the system, with no URL and no final period;
 * `hint` is one line of advice, in lower case. Text of a server is raw: it is escaped when it is shown.
 */
export class FtpullError extends Error {
  readonly kind: ErrorKind;
  readonly transient: boolean;
  readonly hint: string | undefined;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "FtpullError";
    this.kind = kind;
    this.transient = details.transient ?? false;
    this.hint = details.hint;
  }

  with(changes: ErrorDetails & { kind?: ErrorKind; message?: string }): FtpullError {
    const { transient, hint } = this;
    const { kind = this.kind, message = this.message, ...details } = changes;
    return new FtpullError(kind, message, { transient, hint, cause: this, ...details });
  }
}

export function usageError(message: string, hint?: string): FtpullError {
  return new FtpullError("usage", message, { hint });
}

export class NetworkFailure extends FtpullError {
  constructor(message: string, cause?: unknown) {
    super("network", message, { transient: true, cause });
  }
}

/** A port that can't be reached; another port of the same host may be. */
export class UnreachablePort extends NetworkFailure {}

/** An HTTP proxy refuses a method: where that is CONNECT, it may have files by GET. */
export class ProxyRefused extends FtpullError {
  /** True also for an error that this one is the cause of. */
  static isBehind(error: unknown): boolean {
    if (error instanceof ProxyRefused) return true;
    return error instanceof Error && ProxyRefused.isBehind(error.cause);
  }
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

/** The reader of standard output or a pipe has gone: no error to report. */
export class ClosedOutput extends FtpullError {
  constructor(what: string, cause: unknown) {
    super("file", `cannot write ${what}: it was closed by its reader`, { cause });
  }
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/** A signal ended the run. An FtpullError, since `toFtpullError` leaves those as they are. */
export class Interrupted extends FtpullError {
  readonly signal: keyof typeof signalNumbers;

  constructor(signal: keyof typeof signalNumbers) {
    super("other", `interrupted by ${signal}`);
    this.name = "Interrupted";
    this.signal = signal;
  }

  get status(): number {
    return 128 + signalNumbers[this.signal];
  }
}

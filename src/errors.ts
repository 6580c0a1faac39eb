/**
 * The one family of errors, their exit statuses and the rule that merges several.
 * Whatever a library or the system throws becomes an FtpullError at the layer that
 * called it, and nothing above has to know the library.
 */
import { closeSync, openSync } from "node:fs";
import { getSystemErrorMap } from "node:util";

/** The exit status of each kind of failure; the numbers are wget's. */
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

export interface ErrorDetails {
  /** Whether trying the same again can help; false unless said. */
  transient?: boolean;
  /** What the user can do about it: one line, lower case, no final period. */
  hint?: string | undefined;
  cause?: unknown;
}

/**
 * A failure in words for the user: what failed, then the server's or the system's own
 * words. The message has no URL, no final period and may hold raw text from a server;
 * whoever shows it escapes it.
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
}

/** A failure of the network, or of a server to answer, that may be gone at the next try. */
export class NetworkFailure extends FtpullError {
  constructor(message: string, cause?: unknown) {
    super("network", message, { transient: true, cause });
  }
}

/** No control connection to the server could be made. */
export class Unreachable extends FtpullError {
  /** Whether each of the host's addresses said that nothing listens there. */
  get isRefusal(): boolean {
    const { cause } = this;
    const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
    return causes.every(
      (one) => (one as NodeJS.ErrnoException | undefined)?.code === "ECONNREFUSED",
    );
  }
}

/** Makes any thrown value an FtpullError; a stranger becomes kind "other". */
export function toFtpullError(thrown: unknown): FtpullError {
  if (thrown instanceof FtpullError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new FtpullError("other", message, { cause: thrown });
}

/** The system's own words for an error, such as "connection refused", without codes and addresses. */
export function systemText(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return systemText(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const { code, errno } = error as NodeJS.ErrnoException;
  if (code === "ENOTFOUND") return "no such host";
  const entry = errno === undefined ? undefined : getSystemErrorMap().get(errno);
  return entry?.[1] ?? error.message;
}

/** Whether something failed since the process has as many files and connections open as it may. */
export function isOutOfFiles(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOutOfFiles);
  if (!(error instanceof Error)) return false;
  return (error as NodeJS.ErrnoException).code === "EMFILE" || isOutOfFiles(error.cause);
}

/** More than a name's look-up needs, with room for what others have opened and closed meanwhile. */
const filesNeeded = 8;

/** The system's error where the process can't open a few files more. */
export function shortageOfFiles(): Error | undefined {
  const opened: number[] = [];
  try {
    while (opened.length < filesNeeded) opened.push(openSync(process.execPath, "r"));
    return undefined;
  } catch (error) {
    return isOutOfFiles(error) ? (error as Error) : undefined;
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** One status for a whole run: the lowest failure other than 1, else 1, else 0. */
export function mergeStatuses(statuses: Iterable<number>): number {
  const failures = [...statuses].filter((status) => status !== 0);
  const telling = failures.filter((status) => status !== 1);
  if (telling.length > 0) return Math.min(...telling);
  return failures.length > 0 ? 1 : 0;
}

/** The signals that end a run in order, with their numbers. */
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * The user or the system ended the run. One of the family, so that nothing on its way up
 * makes another failure of it.
 */
export class Interrupted extends FtpullError {
  readonly signal: keyof typeof signalNumbers;

  constructor(signal: keyof typeof signalNumbers) {
    super("other", `interrupted by ${signal}`);
    this.name = "Interrupted";
    this.signal = signal;
  }

  /** What a shell says of a program that the signal ended. */
  get status(): number {
    return 128 + signalNumbers[this.signal];
  }
}

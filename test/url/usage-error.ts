import { FtpullError } from "../../src/errors.ts";

/** The usage error that `act` throws; anything else fails the test. */
export function usageError(act: () => unknown): FtpullError {
  try {
    act();
  } catch (error) {
    if (error instanceof FtpullError && error.kind === "usage") return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

/** Tells if a file that an option names is the terminal. */
import { isatty } from "node:tty";

/** "-" is standard input (0) or standard output (1). */
export function isTerminal(file: string | undefined, standard: 0 | 1): boolean {
  const isStandard = file === "-" || file === ["/dev/stdin", "/dev/stdout"][standard];
  return file === "/dev/tty" || (isStandard && isatty(standard));
}

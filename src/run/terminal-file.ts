/** Tells if a file that an option names is the terminal; "-" is standard input (0) or standard output (1). */
import { isatty } from "node:tty";

export function isTerminal(file: string | undefined, standard: 0 | 1): boolean {
  const isStandard = file === "-" || file === ["/dev/stdin", "/dev/stdout"][standard];
  return file === "/dev/tty" || (isStandard && isatty(standard));
}

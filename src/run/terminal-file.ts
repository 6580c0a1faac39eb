/** Tells if a file that an option names is the terminal. */
import { isatty } from "node:tty";

const fds = { stdin: 0, stdout: 1 };

/** The option takes "-" as a name for `standard`. */
export function isTerminal(file: string | undefined, standard: keyof typeof fds): boolean {
  if (file === "/dev/tty") return true;
  return (file === "-" || file === `/dev/${standard}`) && isatty(fds[standard]);
}

/** Tells if a file that an option names is the terminal; "-" stands for standard input or output. */
import { isatty } from "node:tty";

const fds = { stdin: 0, stdout: 1 };

export function isTerminal(file: string | undefined, standard: keyof typeof fds): boolean {
  if (file === "/dev/tty") return true;
  return (file === "-" || file === `/dev/${standard}`) && isatty(fds[standard]);
}

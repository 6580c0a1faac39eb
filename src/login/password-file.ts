/**
 * --password-file: a password that stands in no command line, where the process list would
 * show it.
 */
import { constants, createReadStream, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { isatty, ReadStream } from "node:tty";
import { FtpullError } from "../errors.ts";
import { errorAbout } from "../files/file-error.ts";
import { descriptorOf } from "../files/part/reserve.ts";

/**
 * A function that reads the password when it is first needed, and remembers it: standard
 * input (`-`) can be read only once.
 */
export function passwordFile(path: string): () => Promise<string> {
  let password: Promise<string> | undefined;
  return () => (password ??= readPassword(path));
}

/**
 * The first line of a file as octets, spaces kept, without its LF or CRLF. A file that begins
 * with a line end holds the empty password; one without any octet holds none, because that is
 * how a secret looks that somebody forgot to fill in.
 * @throws FtpullError "file" when it can't be read, "login" when it holds none
 */
export async function readPassword(path: string): Promise<string> {
  const line = await readFirstLine(path).catch((error: unknown) => {
    const hint =
      "--password-file names a file whose first line is the password; - is standard input";
    throw errorAbout("read", `password file "${path}"`, error, hint);
  });
  if (line === "") {
    throw new FtpullError("login", `password file "${path}" is empty`, {
      hint: "an empty password is written as an empty line",
    });
  }
  return line.replace(/\r?\n$/, "");
}

/** A password is shorter by far; a device may go on without a line end. */
const mostOctets = 1024 * 1024;

/** With its line end. Stops reading there, so that a person who types it needs no Ctrl-D. */
async function readFirstLine(path: string): Promise<string> {
  const input = path === "-" ? process.stdin : openInput(path);
  let text = "";
  for await (const chunk of input) {
    text += Buffer.from(chunk as Uint8Array).toString("latin1");
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end + 1);
    if (text.length > mostOctets)
      throw new Error(`its first line has more than ${mostOctets} octets`);
  }
  return text;
}

/**
 * Opens what may be a FIFO or a terminal in a way that a signal can end: a thread that waits in
 * open(2) or read(2) would hold the end of the process. A name such as /dev/fd/3 isn't opened
 * again: the end of a pipe whose writer has gone would never be seen.
 */
function openInput(path: string): AsyncIterable<unknown> {
  const fd = descriptorOf(path) ?? openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (isatty(fd)) return new ReadStream(fd);
  const stats = fstatSync(fd);
  const isPipe = stats.isFIFO() || stats.isSocket();
  return isPipe ? new Socket({ fd, writable: false }) : createReadStream(path, { fd });
}

/**
 * --password-file: a password that stands in no command line, where the process list would
 * show it.
 */
import { createReadStream } from "node:fs";
import { FtpullError } from "../errors.ts";
import { errorAbout } from "./file-error.ts";

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

/** With its line end. Stops reading there, so that a person who types it needs no Ctrl-D. */
async function readFirstLine(path: string): Promise<string> {
  const input = path === "-" ? process.stdin : createReadStream(path);
  let text = "";
  for await (const chunk of input) {
    text += Buffer.from(chunk as Uint8Array).toString("latin1");
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end + 1);
  }
  return text;
}

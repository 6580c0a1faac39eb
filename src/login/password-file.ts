/** --password-file: a password that does not appear in the process list. */
import { addAbortSignal } from "node:stream";
import { FtpullError } from "../errors.ts";
import { errorAbout } from "../files/file-error.ts";
import { openInput } from "../files/input-file.ts";

export function passwordFile(path: string, signal: AbortSignal): () => Promise<string> {
  let password: Promise<string> | undefined;
  return () => (password ??= readPassword(path, signal));
}

/**
 * The first line as octets, with its spaces, without its LF or CRLF. An empty file usually is a secret
 * that was not set. @throws FtpullError "file" or, for an empty file, "login"
 */
async function readPassword(path: string, signal: AbortSignal): Promise<string> {
  const line = await readFirstLine(path, signal).catch((error: unknown) => {
    throw errorAbout("read", `password file "${path}"`, error, hintAtFile);
  });
  const hint = "an empty password is written as an empty line";
  if (line === "") throw new FtpullError("login", `password file "${path}" is empty`, { hint });
  return line.replace(/\r?\n$/, "");
}

const hintAtFile =
  "--password-file names a file whose first line is the password; - is standard input";

/** Some devices never send a line end. */
const mostOctets = 1024 * 1024;

/** The line has its line end, if any. Reading stops there, so that a typed line needs no Ctrl-D. */
async function readFirstLine(path: string, signal: AbortSignal): Promise<string> {
  let text = "";
  for await (const chunk of addAbortSignal(signal, openInput(path))) {
    text += Buffer.from(chunk as Uint8Array).toString("latin1");
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end + 1);
    if (text.length > mostOctets)
      throw new Error(`its first line has more than ${mostOctets} octets`);
  }
  return text;
}

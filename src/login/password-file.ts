/** --password-file: a password that does not appear in the process list. */
import { FtpullError } from "../errors.ts";
import { inputName, readInput } from "../files/input-file.ts";

export function passwordFile(path: string): () => Promise<string> {
  let password: Promise<string> | undefined;
  return () => (password ??= readPassword(path));
}

/**
 * The first line as octets, with its spaces. An empty file usually is a secret that was not set. @throws FtpullError
 * "file" or, for an empty file, "login"
 */
async function readPassword(path: string): Promise<string> {
  const text = (await readInput(path)).toString("latin1");
  const hint = "an empty password is written as an empty line";
  if (text === "")
    throw new FtpullError("login", `password file ${inputName(path)} is empty`, { hint });
  return text.replace(/\r?\n.*$/s, "");
}

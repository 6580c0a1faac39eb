/** Whole files that options name; the caller parses them. */
import { createReadStream } from "node:fs";
import { readBounded, readStream } from "./bounded-read.ts";
import { fileError } from "./file-error.ts";

/** For a list that is read into memory; V8's longest string has twice as many characters. */
const mostInList = 256 * 1024 * 1024;

/** The certificates of all public authorities take a quarter of a MiB. */
const mostInPem = 16 * 1024 * 1024;

/** The text of a file in UTF-8, or of standard input (`-`). @throws FtpullError "file" */
export async function readText(path: string): Promise<string> {
  try {
    const input = path === "-" ? process.stdin : createReadStream(path);
    return (await readStream(input, mostInList)).toString();
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** Reads a file of certificates or keys. @throws FtpullError "file" */
export function readPemFile(path: string): Buffer {
  try {
    return readBounded(path, mostInPem);
  } catch (error) {
    throw fileError("read", path, error);
  }
}

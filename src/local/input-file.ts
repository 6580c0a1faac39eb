/** Files that options name, read as a whole; what is in them is for others to judge. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileError, errorAbout } from "./file-error.ts";

/**
 * The text of a file in UTF-8, or of standard input (`-`).
 * @throws FtpullError "file", which speaks of `what`
 */
export async function readText(path: string, what = `"${path}"`, hint?: string): Promise<string> {
  try {
    return path === "-" ? await text(process.stdin) : await readFile(path, "utf8");
  } catch (error) {
    throw errorAbout("read", what, error, hint);
  }
}

/** The text of a PEM file, and the name by which errors speak of it. */
export interface PemFile {
  readonly name: string;
  readonly text: Buffer;
}

/** Reads a PEM file; no path is no file. @throws FtpullError "file" */
export function readPemFile(path: string | undefined): PemFile | undefined {
  if (path === undefined) return undefined;
  try {
    return { name: path, text: readFileSync(path) };
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** Files of certificates and keys, read as they are; what is in them is for TLS to judge. */
import { readFileSync } from "node:fs";
import { fileError } from "./file-error.ts";

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

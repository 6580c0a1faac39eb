/** The options of the scripted server; without options it is a good server. */

import type { Action } from "./script.ts";

export interface ServerOptions {
  /** Files, and targets of symbolic links, by pathname from the root; directories above them are made. */
  files?: Record<string, FileSource>;
  links?: Record<string, string>;
  directories?: string[];
  directoryDates?: Record<string, Date>;
  /** PWD gives the pathname without links, as after chdir(2), not the one that was entered. */
  realPwd?: boolean;
  /** LIST leaves out names with a leading dot; `LIST -a` has them, and "." and "..". */
  hidesDots?: boolean;
  nameEncoding?: "utf8" | "latin1";
  loginDirectory?: string;
  /** Users besides anonymous. USER alone logs in a user without a password. */
  users?: Record<string, { password?: string; account?: string }>;
  anonymous?: boolean;
  /** The lines of FEAT; false: the server knows neither FEAT nor MLST, MLSD and OPTS. */
  features?: readonly string[] | false;
  on?: Record<string, Action>;
  host?: "127.0.0.1" | "::1";
  /** Offers AUTH TLS, or speaks TLS from the first octet (`implicit`). */
  tls?: TlsOptions;
  /** A command that is sent before the last reply ends the connection, or is dropped with the rest of its write. */
  dropPipelined?: "close" | "rest";
}

export interface TlsOptions {
  key: string;
  cert: string;
  implicit?: boolean;
  minVersion?: "TLSv1.3";
  maxVersion?: "TLSv1.2";
  /** Answers 522 to a data connection that doesn't resume the control connection's TLS session. */
  requireReuse?: boolean;
  requireCertificate?: boolean;
}

export type FileSource = FileContent | { content: FileContent; modified: Date };

export type FileContent = string | Buffer | { size: number; seed: number };

/**
 * The options of the scripted server. Without options it is a good server.
 */

import type { Action } from "./script.ts";

export interface ServerOptions {
  /** The files from the root by pathname; the directories above them come by themselves. */
  files?: Record<string, FileSource>;
  /** Directories that hold no file. */
  directories?: string[];
  /** Symbolic links by pathname, and what they lead to. */
  links?: Record<string, string>;
  /** Modification times of directories by pathname. */
  directoryDates?: Record<string, Date>;
  /** PWD gives the pathname without links, as after chdir(2), not the one that was entered. */
  realPwd?: boolean;
  /** LIST leaves out names with a leading dot; `LIST -a` has them, and "." and "..". */
  hidesDots?: boolean;
  /** Encoding of the names in `files` and `directories`; default "utf8". */
  nameEncoding?: "utf8" | "latin1";
  /** Where a login starts; default "/". */
  loginDirectory?: string;
  /** Who may log in besides anonymous. A user without a password is let in by USER alone. */
  users?: Record<string, { password?: string; account?: string }>;
  /** False refuses the anonymous login. */
  anonymous?: boolean;
  /** The lines of FEAT; false stands for a server that knows neither FEAT nor MLST. */
  features?: readonly string[] | false;
  /** Departures from a good server, by command; see `ScriptedServer.on`. */
  on?: Record<string, Action>;
  /** The address to listen on; default "127.0.0.1". */
  host?: "127.0.0.1" | "::1";
  /** Offers AUTH TLS, or speaks TLS from the first octet (`implicit`). */
  tls?: TlsOptions;
  /** Parts the replies of each control connection before these octets of the stream. */
  split?: readonly number[];
  /** Sends replies in reads of at most this many octets. */
  chunk?: number;
  /** The end of a client that sends a command before the last one is answered. */
  dropPipelined?: "close" | "reset" | "silence" | "rest";
  /** In what order the commands of one read are worked on. */
  order?: (lines: string[]) => string[];
}

export interface TlsOptions {
  key: string;
  cert: string;
  implicit?: boolean;
  minVersion?: "TLSv1.3";
  maxVersion?: "TLSv1.2";
  /** Answers 522 to a data connection that doesn't resume the control connection's TLS session. */
  requireReuse?: boolean;
  /** Hangs up on a client that shows no certificate. */
  requireCertificate?: boolean;
}

/**
 * A file's content: text (sent as UTF-8), octets, so many made up octets, or any of them with a
 * date.
 */
export type FileSource = FileContent | { content: FileContent; modified: Date };

export type FileContent = string | Buffer | { size: number; seed: number };

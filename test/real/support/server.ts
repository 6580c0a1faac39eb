/**
 * What a test asks of a real FTP server, and what the four of them have to tell the code
 * that starts them.
 */
import type { KeyPair } from "./certificates.ts";

export interface TlsOptions extends KeyPair {
  /** Data connections have to resume the control connection's TLS session; default false. */
  readonly requireReuse?: boolean;
  /** The only version of TLS, as OpenSSL writes it. */
  readonly version?: "TLSv1.2" | "TLSv1.3";
  /** TLS from the first octet, as ftps: has it; default is explicit (AUTH TLS). */
  readonly implicit?: boolean;
  /** Nobody logs in, and nothing is transferred, without TLS; default false. */
  readonly force?: boolean;
  /** Clients have to show a certificate by the authority in this file. */
  readonly clientCa?: string;
}

export interface ServerOptions {
  readonly tls?: TlsOptions;
  /** The directory that it serves, open to nobody; default: the tree of test files. */
  readonly root?: string;
  /** The network namespace in which it runs: a file for nsenter; default: that of the caller. */
  readonly namespace?: string;
  /** Listens on ::1 in place of 127.0.0.1. */
  readonly ipv6?: boolean;
  /** The port of the server on 127.0.0.1 that a proxy leads to. */
  readonly upstream?: number;
  /** Lines for the end of the configuration; for Pure-FTPd arguments, for pyftpdlib statements. */
  readonly config?: readonly string[];
}

export interface Setting {
  readonly program: string;
  readonly directory: string;
  /** The tree of test files. */
  readonly root: string;
  readonly port: number;
  readonly account: typeof account;
  readonly options: ServerOptions;
}

export function listenAddress({ namespace, ipv6 }: ServerOptions): string {
  if (ipv6) return "::1";
  return namespace === undefined ? "127.0.0.1" : "0.0.0.0";
}

/** A command that runs in the foreground until it is ended. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Runs as this user (and group) instead of root. */
  readonly uid?: number;
}

/**
 * The named user of every server. The password has characters that a URL must encode; no
 * colon, which ends a field in the servers' own files.
 */
export const account = { user: "frank", password: "p@ss/w?rd%" } as const;

/** Nobody's uid and gid on Debian: as whom all servers read the tree. */
export const nobody = 65534;

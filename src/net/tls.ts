/**
 * TLS as a client speaks it: one layer for the control connection and all data connections
 * of a session, which resume its TLS session, as many servers demand.
 */
import { X509Certificate } from "node:crypto";
import { isIP, isIPv6, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  checkServerIdentity as checkHost,
  connect,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { NetworkFailure } from "../errors.ts";
import { certificateError, tlsError } from "./tls-error.ts";

/** The text of a PEM file, and the name by which errors speak of it. */
export interface PemFile {
  readonly name: string;
  readonly text: Buffer;
}

/** Without `authorities` the usual ones are trusted. */
export interface PemFiles {
  readonly authorities: PemFile | undefined;
  /** The client's own certificate, and its key where that has no file of its own. */
  readonly certificate: PemFile | undefined;
  readonly privateKey: PemFile | undefined;
}

/** Whom a client trusts and how it shows itself; one serves all connections of a run. */
export interface TlsIdentity {
  readonly context: SecureContext;
  /** Whether the server's certificate and the name in it are checked. */
  readonly verify: boolean;
}

/** How a session uses TLS: from the first octet (port 990), or once AUTH has asked for it. */
export interface TlsOptions {
  readonly implicit: boolean;
  readonly identity: TlsIdentity;
}

/** Makes an identity of files. @throws FtpullError "tls" for one that can't be used */
export function tlsIdentity(files: PemFiles, verify: boolean): TlsIdentity {
  const { authorities, certificate, privateKey = certificate } = files;
  // Node itself takes a file without certificates for a list of none.
  for (const file of [authorities, certificate])
    if (file !== undefined) usable(file, () => new X509Certificate(file.text));
  const options = { ca: authorities?.text, cert: certificate?.text, key: privateKey?.text };
  return { context: usable(privateKey, () => createSecureContext(options)), verify };
}

function usable<T>(file: PemFile | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw tlsError(`cannot use "${file?.name}"`, error);
  }
}

const clearTextHint =
  "ftps: is TLS from the first octet; for a server that is asked for it write ftpes:";

/** The TLS of one session. */
export class TlsLayer {
  /** Without the dot of the root and without an IPv6 zone: certificates have neither. */
  readonly #host: string;
  readonly #options: TlsOptions;
  /** The newest ticket of the control connection, which data connections show (RFC 8446 §4.6.1). */
  #ticket: Buffer | undefined;

  constructor(host: string, options: TlsOptions) {
    this.#host = host.replace(/%.*$|\.$/, "");
    this.#options = options;
  }

  /**
   * Puts TLS around a control connection.
   * @throws FtpullError "tls" or "network", or whatever `signal` was aborted with
   */
  async secure(socket: Socket, timeoutMs: number, signal: AbortSignal): Promise<TLSSocket> {
    const secured = this.wrap(socket);
    secured.on("session", (ticket) => (this.#ticket = ticket));
    const abort = (): void => void secured.destroy(signal.reason as Error);
    const timer = setTimeout(() => secured.destroy(silence(timeoutMs)), timeoutMs);
    signal.addEventListener("abort", abort, { once: true });
    try {
      signal.throwIfAborted();
      await this.verified(secured);
      return secured;
    } catch (error) {
      secured.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    }
  }

  /** Begins a handshake over any stream; nothing may be trusted before `verified`. */
  wrap(socket: Duplex): TLSSocket {
    return connect({
      socket,
      // A session is resumed only where these are the same on both connections.
      host: this.#host,
      ...(isIP(this.#host) ? {} : { servername: this.#host }),
      secureContext: this.#options.identity.context,
      ...(this.#ticket === undefined ? {} : { session: this.#ticket }),
      checkServerIdentity,
      // Judged in `verified`, where the certificate is still there to be named in the error.
      rejectUnauthorized: false,
    });
  }

  /**
   * Resolves when the handshake is done and the server is the one that was meant.
   * @throws FtpullError "tls" or "network", or what the socket was destroyed with
   */
  verified(socket: TLSSocket): Promise<void> {
    return new Promise((resolve, reject) => {
      const hint = this.#options.implicit ? clearTextHint : undefined;
      const fail = (error: unknown): void =>
        reject(tlsError("the TLS handshake failed", error, hint));
      socket.on("error", fail);
      socket.once("close", () => fail(new Error("the connection was closed")));
      socket.once("secureConnect", () => {
        if (socket.authorized || !this.#options.identity.verify) resolve();
        else reject(certificateError(socket, this.#host));
      });
    });
  }
}

/** Node 22 finds no certificate good for an IPv6 address. */
function checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  const { raw } = certificate;
  if (isIPv6(host) && new X509Certificate(raw).checkIP(host) !== undefined) return undefined;
  return checkHost(host, certificate);
}

function silence(timeoutMs: number): NetworkFailure {
  return new NetworkFailure(
    `the server did not finish the TLS handshake within ${timeoutMs / 1000} s`,
  );
}

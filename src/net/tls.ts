/** TLS: data connections resume the TLS session of the control connection, as servers require. */
import { createHash, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { FtpullError, usageError } from "../errors.ts";
import { hints } from "../hints.ts";
import { type TimeOptions, withLimit } from "./time-limit.ts";
import { certificateError, tlsError, tlsFailure } from "./tls-error.ts";

export interface PemFile {
  readonly name: string;
  readonly text: Buffer;
}

/** Files for TLS. Without `authorities` Node's are trusted; without `privateKey` the certificate's file has the key. */
interface PemFiles {
  readonly authorities: PemFile | undefined;
  readonly certificate: PemFile | undefined;
  readonly privateKey: PemFile | undefined;
}

export interface TlsIdentity {
  readonly context: SecureContext;
  readonly verify: boolean;
  /** Public keys of which the server has to have one, in place of a valid certificate. */
  readonly pins?: readonly string[] | undefined;
}

export interface TlsOptions extends TlsIdentity {
  readonly implicit: boolean;
}

export function tlsIdentity(files: PemFiles, verify: boolean): TlsIdentity {
  const { authorities, certificate, privateKey = certificate } = files;
  if (privateKey !== undefined && certificate === undefined)
    throw usageError("--private-key is for --certificate, which is not given");
  // Node would take a file without certificates for an empty list.
  for (const file of [authorities, certificate])
    if (file !== undefined) withFile(file, () => new X509Certificate(file.text));
  const options = { ca: authorities?.text, cert: certificate?.text, key: privateKey?.text };
  return { context: withFile(privateKey, () => createSecureContext(options)), verify };
}

/** The pin of a public key: of a key file (PEM or DER), or of a certificate (PEM). */
export function pinIn(file: PemFile): string {
  const { text: key } = file;
  const isPem = key.includes("-----BEGIN");
  const read = () => createPublicKey(isPem ? key : { key, format: "der", type: "spki" });
  return pinOf(withFile(file, read));
}

function pinOf(key: KeyObject): string {
  const octets = key.export({ type: "spki", format: "der" });
  return `sha256//${createHash("sha256").update(octets).digest("base64")}`;
}

function withFile<T>(file: PemFile | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw tlsFailure(`cannot use "${file?.name}"`, error as Error);
  }
}

export class TlsLayer {
  /** Without the dot of the root and without an IPv6 zone: certificates have neither. */
  readonly #host: string;
  readonly #options: TlsOptions;
  /** The newest ticket of the control connection, for data connections (RFC 8446 §4.6.1). */
  #ticket: Buffer | undefined;

  constructor(host: string, options: TlsOptions) {
    this.#host = host.replace(/%.*$|\.$/, "");
    this.#options = options;
  }

  /** Begins TLS on a control connection. @throws FtpullError "tls" or "network", or the reason of `signal` */
  async secure(socket: Socket, limits: TimeOptions): Promise<TLSSocket> {
    const secured = this.wrap(socket);
    secured.on("session", (ticket) => {
      this.#ticket = ticket;
    });
    const silence = "the server did not finish the TLS handshake within";
    await withLimit(secured, limits, silence, () => this.verified(secured));
    return secured;
  }

  /** Begins a handshake; `verified` must be awaited before data is trusted. */
  wrap(socket: Duplex): TLSSocket {
    return connect({
      socket,
      // Node resumes a session only if these are the same on both connections.
      host: this.#host,
      ...(isIP(this.#host) ? {} : { servername: this.#host }),
      secureContext: this.#options.context,
      ...(this.#ticket === undefined ? {} : { session: this.#ticket }),
      // `verified` checks the certificate, while it is still available for the error.
      rejectUnauthorized: false,
    });
  }

  verified(socket: TLSSocket): Promise<void> {
    return new Promise((resolve, reject) => {
      const hint = this.#options.implicit ? hints.explicitTls : undefined;
      const fail = (error: unknown): void =>
        reject(tlsError("the TLS handshake failed", error, hint));
      socket.on("error", fail);
      socket.once("close", () => fail(new Error("the connection was closed")));
      socket.once("secureConnect", () => {
        const refusal = this.#refusalOf(socket);
        if (refusal === undefined) resolve();
        else reject(refusal);
      });
    });
  }

  #refusalOf(socket: TLSSocket): FtpullError | undefined {
    const { pins, verify } = this.#options;
    if (pins !== undefined) return refusalBy(pins, socket);
    return socket.authorized || !verify ? undefined : certificateError(socket, this.#host);
  }
}

function refusalBy(pins: readonly string[], socket: TLSSocket): FtpullError | undefined {
  const certificate = socket.getPeerX509Certificate();
  // A resumed session may have no certificate: the control connection's was verified.
  if (certificate === undefined && socket.isSessionReused()) return undefined;
  const pin = certificate === undefined ? undefined : pinOf(certificate.publicKey);
  if (pin !== undefined && pins.includes(pin)) return undefined;
  const text = `the server's public key is ${pin ?? "unknown"}, not ${pins.join(" or ")}`;
  return new FtpullError("tls", text);
}

/** Messages for TLS errors, in place of Node's, which are OpenSSL's with addresses and source files. */
import type { TLSSocket } from "node:tls";
import { FtpullError, networkError, systemText } from "../errors.ts";
import { hints } from "../hints.ts";
import { shorten } from "../text/secrets.ts";

interface OpenSslError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

export function tlsError(what: string, error: unknown, clearTextHint?: string): FtpullError {
  if (error instanceof FtpullError) return error;
  if (isTlsError(error)) return tlsFailure(what, error, clearTextHint);
  return networkError(`${what}: ${systemText(error)}`, { cause: error });
}

/** An error of OpenSSL's, or one that Node gives in its place. */
export function tlsFailure(what: string, error: OpenSslError, clearTextHint?: string): FtpullError {
  const reason = (error.reason ?? error.message).replace(/^(?:sslv3|ssl\/tls|tlsv\d+) alert /, "");
  const isClearText = /wrong version number|packet length too long/.test(reason);
  const details = { hint: isClearText ? clearTextHint : undefined, cause: error };
  const said = isClearText ? `the server answers in clear text (${reason})` : reason;
  return new FtpullError("tls", `${what}: ${said}`, details);
}

export function isTlsError(error: unknown): error is OpenSslError {
  const { code = "" } = error instanceof Error ? (error as OpenSslError) : {};
  return /^(?:ERR_(?:SSL|OSSL|TLS|CRYPTO)_|EPROTO$)/.test(code);
}

export function certificateError(socket: TLSSocket, host: string): FtpullError {
  // Typed as an Error, but Node sets the error's code if there is one.
  const code = String(socket.authorizationError);
  const isForOthers = code === "ERR_TLS_CERT_ALTNAME_INVALID";
  const complaint = isForOthers
    ? `is for ${namesOf(socket)}, not for ${host}`
    : `is not trusted: ${code.toLowerCase().replaceAll("_", " ")}`;
  const message = `the server's certificate ${complaint}`;
  return new FtpullError("tls", message, { hint: hints.certificate });
}

/** The names of subjectAltName; a CN alone doesn't count (RFC 9525 §2). */
function namesOf(socket: TLSSocket): string {
  const { subjectaltname = "no host" } = socket.getPeerCertificate();
  return shorten(subjectaltname.replaceAll(/(?:DNS|IP Address):/g, ""), 100);
}

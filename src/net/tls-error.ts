/** Messages for TLS errors, in place of Node's, which are OpenSSL's with addresses and source files. */
import type { TLSSocket } from "node:tls";
import { FtpullError, NetworkFailure, systemText } from "../errors.ts";

interface OpenSslError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

export function tlsError(what: string, error: unknown, clearTextHint?: string): Error {
  if (error instanceof FtpullError) return error;
  if (!isTlsError(error)) return new NetworkFailure(`${what}: ${systemText(error)}`, error);
  const reason = (error.reason ?? error.message).replace(/^(?:sslv3|ssl\/tls|tlsv\d+) alert /, "");
  const isClearText = /wrong version number|packet length too long/.test(reason);
  const certificateHint = /certificate required|handshake failure/.test(reason)
    ? "the server may want a certificate: --certificate FILE --private-key FILE"
    : undefined;
  const details = { hint: isClearText ? clearTextHint : certificateHint, cause: error };
  const said = isClearText ? `the server answers in clear text (${reason})` : reason;
  return new FtpullError("tls", `${what}: ${said}`, details);
}

export function isTlsError(error: unknown): error is OpenSslError {
  const { code = "" } = error instanceof Error ? (error as OpenSslError) : {};
  return /^(?:ERR_(?:SSL|OSSL|TLS|CRYPTO)_|EPROTO$)/.test(code);
}

export function certificateError(socket: TLSSocket, host: string): FtpullError {
  const text = `the server's certificate ${complaint(socket, host)}`;
  const others = "pin its key by --pinnedpubkey, or skip verification by --no-check-certificate";
  return new FtpullError("tls", text, { hint: `${remedy(socket, host)}${others}` });
}

function remedy(socket: TLSSocket, host: string): string {
  if (!isForOtherHosts(socket)) return "name its authority by --ca-certificate FILE, ";
  return isCommonName(socket, host) ? "" : "use a name that it has, ";
}

function isForOtherHosts({ authorizationError }: TLSSocket): boolean {
  return String(authorizationError) === "ERR_TLS_CERT_ALTNAME_INVALID";
}

function isCommonName(socket: TLSSocket, host: string): boolean {
  return String(socket.getPeerCertificate().subject?.CN).toLowerCase() === host.toLowerCase();
}

function complaint(socket: TLSSocket, host: string): string {
  // Typed as an Error, but Node sets the error's code if there is one.
  const code = String(socket.authorizationError);
  const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
  // A CN doesn't name a host (RFC 9525 §2); Node accepts it only where subjectAltName has no DNS name.
  if (isForOtherHosts(socket) && isCommonName(socket, host))
    return `names ${host} as its CN only, which doesn't count: the name has to be in subjectAltName`;
  if (isForOtherHosts(socket)) return `is for ${namesOf(socket)}, not for ${host}`;
  if (code === "CERT_HAS_EXPIRED" && isPast(to)) return `expired on ${dateOf(to)}`;
  if (code === "CERT_NOT_YET_VALID" && !isPast(from)) return `is not valid before ${dateOf(from)}`;
  return `is not trusted: ${reasons[code] ?? code.toLowerCase().replaceAll("_", " ")}`;
}

const reasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "signed by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT: "signed by an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "signed by an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "signed by an unknown authority",
  CERT_HAS_EXPIRED: "a certificate that it depends on has expired",
};

function namesOf(socket: TLSSocket): string {
  const { subject, subjectaltname } = socket.getPeerCertificate();
  const names = (subjectaltname ?? "")
    .split(", ")
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ""))
    .filter((name) => name !== "");
  if (names.length > 3) return `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
  return names.length > 0 ? names.join(", ") : String(subject?.CN ?? "no host");
}

function isPast(date: string): boolean {
  return Date.parse(date) < Date.now();
}

function dateOf(date: string): string {
  return new Date(date).toISOString().slice(0, 10);
}

/** Which URLs are fetched over TLS, and with whose certificates: the options of the group TLS. */
import { FtpullError } from "../errors.ts";
import { readPemFile } from "../files/input-file.ts";
import {
  type PemFile,
  type PemFiles,
  type TlsIdentity,
  tlsIdentity,
  type TlsOptions,
} from "../net/tls.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import type { FtpUrl } from "../url/ftp-url.ts";

/**
 * Chooses the TLS options for each URL. The files are read now, and parsed when a URL needs them.
 * @throws FtpullError "usage" for a key without a certificate, "file" for a file that can't be read
 */
export function tlsChoice(
  settings: Settings,
  messages: Messages,
): (url: FtpUrl) => TlsOptions | undefined {
  const files = pemFiles(settings);
  let identity: TlsIdentity | undefined;
  return ({ scheme }) => {
    if (scheme === "ftp" && !settings.tls) return undefined;
    identity ??= identityOf(files, settings, messages);
    return { implicit: scheme === "ftps", identity };
  };
}

function pemFiles({ caCertificate, certificate, privateKey }: Settings): PemFiles {
  if (privateKey !== undefined && certificate === undefined)
    throw new FtpullError("usage", "--private-key needs --certificate");
  return {
    authorities: pemFile(caCertificate),
    certificate: pemFile(certificate),
    privateKey: pemFile(privateKey),
  };
}

function pemFile(path: string | undefined): PemFile | undefined {
  return path === undefined ? undefined : { name: path, text: readPemFile(path) };
}

function identityOf(files: PemFiles, settings: Settings, messages: Messages): TlsIdentity {
  const identity = tlsIdentity(files, !settings.noCheckCertificate);
  if (!identity.verify)
    messages.warning("certificate verification is off: the connection can be intercepted");
  return identity;
}

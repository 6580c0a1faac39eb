/** --ca-certificate, --certificate, --pinnedpubkey and their like: the TLS of each URL. */
import { usageError } from "../errors.ts";
import { readInput } from "../files/input-file.ts";
import { type PemFile, pinIn, type TlsIdentity, tlsIdentity, type TlsOptions } from "../net/tls.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import type { FtpUrl } from "../url/ftp-url.ts";

/** Certificates and keys are read now, and parsed when a URL needs them. @throws FtpullError "file"; "tls" */
export async function tlsChoice(settings: Settings, messages: Messages) {
  const files = {
    authorities: await pemFile(settings.caCertificate),
    certificate: await pemFile(settings.certificate),
    privateKey: await pemFile(settings.privateKey),
  };
  const pins = await pinsOf(settings);
  const newIdentity = (): TlsIdentity => {
    const made = tlsIdentity(files, !settings.noCheckCertificate);
    if (settings.noCheckCertificate && pins === undefined)
      messages.warning("certificate verification is off: the connection can be intercepted");
    return { ...made, pins };
  };
  let identity: TlsIdentity | undefined;
  return ({ scheme }: FtpUrl): TlsOptions | undefined => {
    if (scheme !== "ftp") return { ...(identity ??= newIdentity()), implicit: scheme === "ftps" };
    if (pins === undefined) return undefined;
    throw usageError("--pinnedpubkey is for TLS: add --tls");
  };
}

async function pinsOf({ pinnedKey }: Settings): Promise<readonly string[] | undefined> {
  if (pinnedKey === undefined) return undefined;
  if (pinnedKey.startsWith("sha256//")) return pinnedKey.split(";");
  return [pinIn({ name: pinnedKey, text: await readInput(pinnedKey) })];
}

async function pemFile(path: string | undefined): Promise<PemFile | undefined> {
  return path === undefined ? undefined : { name: path, text: await readInput(path) };
}

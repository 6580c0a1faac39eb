/** The built program against scripted servers with TLS. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ftpull } from "../../conformance/support/client.ts";
import { anonymous, features, type Script } from "../../conformance/support/dialogue.ts";
import { type Certificate, loopbackCertificate } from "../../support/certificates.ts";
import type { ServerOptions, TlsOptions } from "../../support/options.ts";
import type { ScriptedServer } from "../../support/scripted-server.ts";
import { startServer } from "../../support/start-server.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** A server with TLS and one file, x. */
export function startSecured(
  tls: Partial<TlsOptions> = {},
  options: ServerOptions = {},
): Promise<ScriptedServer> {
  return startServer({ files: { x: "text" }, ...options, tls: { ...loopbackCertificate, ...tls } });
}

/** Fetches a path from such a server, whose certificate is trusted. */
export async function fetchSecured(
  options: ServerOptions,
  words: readonly string[] = [],
  path = "/x",
): Promise<Awaited<ReturnType<typeof ftpull>> & { server: ScriptedServer; url: string }> {
  const server = await startSecured({}, options);
  const url = server.url(path, { scheme: "ftpes" });
  return { server, url, ...(await ftpull([...(await trusting()), ...words, url])) };
}

/** The path of a file that holds `text`. */
export async function pemFile(text: string): Promise<string> {
  const path = join(await temporaryDirectory(), "file.pem");
  await writeFile(path, text);
  return path;
}

/** The words that have this certificate trusted. */
export async function trusting(certificate: Certificate = loopbackCertificate): Promise<string[]> {
  return ["--ca-certificate", await pemFile(certificate.cert)];
}

/** The words that have the program show this certificate. */
export async function showing({ cert, key }: Certificate): Promise<string[]> {
  return ["--certificate", await pemFile(cert), "--private-key", await pemFile(key)];
}

/** A login over TLS: the data is protected as soon as somebody is logged in. */
export const securedLogin: Script = [...anonymous, "PBSZ 0", "PROT P", ...features];

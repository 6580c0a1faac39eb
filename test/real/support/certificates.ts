/**
 * Certificates for tests of TLS, made by the openssl command: an authority, and one each for this
 * machine's loopback names and for a client.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";

/** Paths of PEM files. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

export interface Certificates {
  /** The authority's certificate, for `--ca-certificate`. */
  readonly ca: string;
  /** For localhost, 127.0.0.1 and ::1. */
  readonly good: KeyPair;
  readonly client: KeyPair;
}

/** Certificates for the tests of a file. */
export function certificatesForTests(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), "ftpull-certificates-"));
  const [ca, good, client] = ["ca", "good", "client"].map((name) => ({
    key: join(folder, `${name}.key`),
    cert: join(folder, `${name}.pem`),
  })) as [KeyPair, KeyPair, KeyPair];
  beforeAll(async () => {
    const authority = ["-CA", ca.cert, "-CAkey", ca.key];
    await make(ca, "keyUsage=critical,keyCertSign,cRLSign");
    await make(good, "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1", authority);
    await make(client, "subjectAltName=email:client@example.org", authority);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { ca: ca.cert, good, client };
}

async function make({ key, cert }: KeyPair, extension: string, signer: readonly string[] = []) {
  const isAuthority = signer.length === 0 ? "TRUE" : "FALSE";
  const constraints = `basicConstraints=critical,CA:${isAuthority}`;
  const words = ["req", "-x509", "-days", "3650", "-subj", `/CN=${basename(cert)}`, ...signer];
  const extensions = ["-addext", constraints, "-addext", extension];
  const files = ["-newkey", "rsa:2048", "-noenc", "-keyout", key, "-out", cert];
  await promisify(execFile)("openssl", [...words, ...extensions, ...files], { timeout: 60_000 });
}

/** The certificate of the tests' own servers, in files: its own authority, and a client's certificate, too. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { loopbackCertificate } from "../../support/certificates.ts";

/** Paths of PEM files. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

export function certificateFiles(): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), "ftpull-certificates-"));
  const files = { key: join(folder, "key.pem"), cert: join(folder, "cert.pem") };
  writeFileSync(files.key, loopbackCertificate.key);
  writeFileSync(files.cert, loopbackCertificate.cert);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return files;
}

/**
 * Certificates for tests of TLS, made by the openssl command: an authority, a good
 * certificate for this machine's loopback names, and bad ones of several kinds.
 */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

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
  readonly selfSigned: KeyPair;
  /** For other.example only. */
  readonly wrongHost: KeyPair;
  /** Good until 1 February 2020. */
  readonly expired: KeyPair;
  /** Of a client, signed by the same authority. */
  readonly client: KeyPair;
}

const loopback = "DNS:localhost,IP:127.0.0.1,IP:::1";

/** Makes all certificates in a folder, which is made when missing. Takes about a second. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  await mkdir(join(folder, "issued"), { recursive: true });
  await writeFile(join(folder, "ca.cnf"), authorityConfiguration(folder));
  await writeFile(join(folder, "index.txt"), "");
  const ca = await selfSigned(folder, "ca", "/CN=ftpull test authority", [
    "basicConstraints=critical,CA:TRUE",
    "keyUsage=critical,keyCertSign,cRLSign",
  ]);
  return {
    ca: ca.cert,
    good: await issued(folder, "good", loopback),
    selfSigned: await selfSigned(folder, "self-signed", "/CN=localhost", [
      `subjectAltName=${loopback}`,
    ]),
    wrongHost: await issued(folder, "wrong-host", "DNS:other.example"),
    expired: await issued(folder, "expired", loopback, ["20200101000000Z", "20200201000000Z"]),
    client: await issued(folder, "client", "email:client@example.org"),
  };
}

async function selfSigned(
  folder: string,
  name: string,
  subject: string,
  extensions: readonly string[],
): Promise<KeyPair> {
  const pair = pairOf(folder, name);
  const options = extensions.flatMap((extension) => ["-addext", extension]);
  await openssl("req", "-x509", "-days", "3650", "-subj", subject, ...newKey(pair), ...options);
  return pair;
}

/** A certificate by the authority; `period` is its first and last moment (YYYYMMDDHHMMSSZ). */
async function issued(
  folder: string,
  name: string,
  alternativeName: string,
  period: readonly [string, string] = ["20200101000000Z", "20490101000000Z"],
): Promise<KeyPair> {
  const pair = pairOf(folder, name);
  const request = join(folder, `${name}.csr`);
  const extensions = join(folder, `${name}.ext`);
  await writeFile(extensions, `subjectAltName=${alternativeName}\nbasicConstraints=CA:FALSE\n`);
  await openssl("req", "-new", "-subj", `/CN=${name}`, ...newKey({ ...pair, cert: request }));
  const [start, end] = period;
  const dates = ["-startdate", start, "-enddate", end];
  const files = ["-in", request, "-out", pair.cert, "-extfile", extensions];
  await openssl("ca", "-batch", "-notext", "-config", join(folder, "ca.cnf"), ...dates, ...files);
  return pair;
}

function newKey(pair: KeyPair): string[] {
  return ["-newkey", "rsa:2048", "-noenc", "-keyout", pair.key, "-out", pair.cert];
}

function pairOf(folder: string, name: string): KeyPair {
  return { key: join(folder, `${name}.key`), cert: join(folder, `${name}.pem`) };
}

/** For `openssl ca`, the only one that can set both dates of a certificate in every version. */
function authorityConfiguration(folder: string): string {
  return `[ca]
default_ca = authority
[authority]
database = ${folder}/index.txt
new_certs_dir = ${folder}/issued
certificate = ${folder}/ca.pem
private_key = ${folder}/ca.key
default_md = sha256
rand_serial = yes
policy = any
unique_subject = no
[any]
commonName = supplied
`;
}

async function openssl(...args: string[]): Promise<void> {
  await run("openssl", args, { timeout: 60_000 });
}

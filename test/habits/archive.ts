/**
 * A small archive such as public ones are, and names for the contents of local files: each is written
 * as the pathname on the server that it comes from.
 */
import { createHash, X509Certificate } from "node:crypto";
import { loopbackCertificate } from "../support/certificates.ts";

const pathnames = [
  "pub/README",
  "pub/a.gz",
  "pub/b.gz",
  "pub/sub/c.gz",
  "pub/sub/c.txt",
  "pub/sub/deep/d.gz",
  "pub/old/x.gz",
  "pub/tmp/y.gz",
  "genome/chr1.fa.gz",
  "genome/chr2.fa.gz",
  "genome/chr10.fa.gz",
  "genome/md5sum.txt",
  "release/113.gz",
] as const;

const modified = new Date("2020-01-02T03:04:05Z");

/** The server's files by pathname. */
export const archive = Object.fromEntries(
  pathnames.map((pathname) => [pathname, { content: contentOf(pathname), modified }]),
);

export const links = { "release/latest.gz": "113.gz", "release/current": "../pub/sub" };

/** The user of the archive's server who isn't anonymous. */
export const account = { user: "frank", password: "p@ss/w?rd%" };

const pin = `sha256//${createHash("sha256").update(publicKey(loopbackCertificate.cert)).digest("base64")}`;

/** A word with the server's address and port for HOST, its pin for PIN and the password for PASSWORD. */
export function filledIn(word: string, port: number): string {
  const isUrl = /^\w+:\/\//.test(word);
  const password = isUrl ? encodeURIComponent(account.password) : account.password;
  const values: Record<string, string> = {
    HOST: `127.0.0.1:${port}`,
    PIN: pin,
    PASSWORD: password,
  };
  return word.replace(/HOST|PIN|PASSWORD/g, (name) => values[name] ?? name);
}

function publicKey(certificate: string): Buffer {
  return new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
}

function contentOf(pathname: string): string {
  return `${pathname}\n`.repeat(400);
}

/**
 * A state of a local file: "pub/a.gz" is the server's, with its date, "half pub/a.gz" what came
 * before a connection broke, "older pub/a.gz" an earlier version, which is shorter.
 */
export function stateOf(name: string): { content: string; date: Date } {
  const [, kind, pathname = ""] = /^(half |older )?(.*)$/.exec(name) ?? [];
  const content = contentOf(pathname);
  if (kind === undefined) return { content, date: modified };
  if (kind === "older ")
    return { content: contentOf(name).slice(0, 3000), date: new Date("2019-01-01") };
  return { content: content.slice(0, content.length / 2), date: new Date("2026-01-01") };
}

const states = pathnames.flatMap((pathname) => [pathname, `half ${pathname}`, `older ${pathname}`]);

/** The state that a content is, several joined by " + ", or what kind of listing it is. */
export function named(content: string): string {
  if (content === "") return "nothing";
  const state = states.find((name) => stateOf(name).content === content);
  if (state !== undefined) return state;
  const first = pathnames.find((pathname) => content.startsWith(contentOf(pathname)));
  if (first !== undefined) return `${first} + ${named(content.slice(contentOf(first).length))}`;
  const lines = content.split(/\r?\n/).filter((line) => line !== "");
  if (lines.every((line) => /^[-dl][-rwx]{9} /.test(line))) return "lines of LIST";
  if (lines.every((line) => /^[\w.]*[a-z][\w.]*\/?$/i.test(line)))
    return `names ${lines.sort().join(" ")}`;
  return "other";
}

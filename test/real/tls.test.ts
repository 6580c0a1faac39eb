/** The built program over TLS: what it accepts, what it refuses, and how it resumes sessions. */
import { expect, test } from "vitest";
import { runInRealTime as run } from "../support/run-here.ts";
import { certificateFiles } from "./support/certificates.ts";
import { type Choice, describeEachServer } from "./support/each-server.ts";
import type { TlsOptions } from "./support/server.ts";
import type { ServerKind } from "./support/servers.ts";
import { text } from "./support/tree.ts";

const good = certificateFiles();
const ca = good.cert;

const withTls = ["vsftpd", "proftpd", "pure-ftpd", "pyftpdlib"] as const;
const strict = ["vsftpd", "proftpd"] as const;

/** These servers, with a good certificate. */
function tls(kinds: readonly ServerKind[], options: Partial<TlsOptions>): Choice {
  return { kinds, options: { tls: { ...good, ...options } } };
}

function trusting(...args: string[]): string[] {
  return ["--ca-certificate", ca, ...args];
}

describeEachServer(
  "explicit TLS, demanded",
  (server) => {
    test("--tls brings an ftp: URL to it", async () => {
      const url = server().url("/text.txt").replace("ftpes:", "ftp:");
      const result = await run(trusting("--tls", "-O", "-", url));
      expect(result).toMatchObject({ status: 0, stdout: text });
    });

    test("an ftp: URL without --tls is refused by the server", async () => {
      const result = await run(["--tries", "1", server().url("/empty").replace("ftpes:", "ftp:")]);
      expect(result.status).toBe(5);
      expect(result.stderr).toMatch(/the server wants TLS: .*\nhint: ask for TLS with --tls/);
    });

    test("a text and a listing are confirmed by close_notify", async () => {
      const urls = ["/text.txt;type=a", "/void/", "/many/"].map((path) => server().url(path));
      const result = await run(trusting("--progress", "none", "-O", "-", ...urls));
      expect(result).toMatchObject({ status: 0, stderr: "" });
      expect(result.stdout).toMatch(/^first line\nsecond line\n/);
    });
  },
  tls(withTls, { force: true }),
);

for (const version of ["TLSv1.2", "TLSv1.3"] as const)
  describeEachServer(
    `data connections that must resume the session of ${version}`,
    (server) => {
      test.each([[[]], [["--active"]]])("a dozen documents arrive: %j", async (words) => {
        const paths = ["empty", "text.txt", "void/", ...Array<string>(8).fill("docs/a.txt")];
        const urls = paths.map((path) => server().url(`/${path}`));
        const result = await run(trusting(...words, "--tries", "1", "-O", "-", ...urls));
        expect(result).toMatchObject({ status: 0, stdout: `${text}aaaaaaaa` });
      });
    },
    tls(strict, { requireReuse: true, force: true, version }),
  );

describeEachServer(
  "implicit TLS",
  (server) => {
    test("an ftps: URL is fetched", async () => {
      const result = await run(trusting("-O", "-", server().url("/text.txt")));
      expect(result).toMatchObject({ status: 0, stdout: text });
    });
  },
  tls(strict, { implicit: true }),
);

describeEachServer(
  "a client's certificate, demanded",
  (server) => {
    test("with one a document arrives", async () => {
      const own = ["--certificate", good.cert, "--private-key", good.key];
      const result = await run(trusting(...own, "-O", "-", server().url("/text.txt")));
      expect(result).toMatchObject({ status: 0, stdout: text });
    });

    test("without one it ends with status 5", async () => {
      const result = await run(trusting("--tries", "1", server().url("/text.txt")));
      expect(result).toMatchObject({ status: 5, stdout: "" });
      expect(result.stderr).toContain("certificate required");
    });
  },
  tls(strict, { clientCa: ca, force: true }),
);

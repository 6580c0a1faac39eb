/** The built program over TLS: what it accepts, what it refuses, and how it resumes sessions. */
import { expect, test } from "vitest";
import { runInRealTime as run } from "../support/run-here.ts";
import { certificatesForTests } from "./support/certificates.ts";
import { type Choice, describeEachServer } from "./support/each-server.ts";
import type { TlsOptions } from "./support/server.ts";
import type { ServerKind } from "./support/servers.ts";
import { deepFile, sha256, sizedFiles, treeText } from "./support/tree.ts";

const { ca, good, client } = certificatesForTests();

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
    test.each(sizedFiles)("$pathname arrives whole", async (file) => {
      const result = await run(trusting("-O", "-", server().url(`/${file.pathname}`)));
      expect(result.status).toBe(0);
      expect(sha256(result.stdoutBytes)).toBe(sha256(file.content()));
    });

    test("a named user, a deep path and a listing go over it", async () => {
      const { account } = server();
      const deep = await run(trusting("-O", "-", server().url(`/${deepFile.pathname}`, account)));
      expect(deep).toMatchObject({ status: 0, stdout: deepFile.content().toString() });
      const listing = await run(trusting(server().url("/", account)));
      expect(listing.stdout).toContain("text.txt\n");
    });

    test("--tls brings an ftp: URL to it", async () => {
      const url = server().url("/text.txt").replace("ftpes:", "ftp:");
      const result = await run(trusting("--tls", "-O", "-", url));
      expect(result).toMatchObject({ status: 0, stdout: treeText });
    });

    test("an ftp: URL without --tls is refused by the server", async () => {
      const result = await run(["--tries", "1", server().url("/one").replace("ftpes:", "ftp:")]);
      expect(result.status).toBe(5);
      expect(result.stderr).toMatch(/the server wants TLS: .*\nhint: ask for TLS with --tls/);
    });

    test("an authority that nobody trusts ends with status 5", async () => {
      const result = await run([server().url("/one")]);
      expect(result).toMatchObject({ status: 5, stdout: "" });
      expect(result.stderr).toContain("is not trusted: signed by an unknown authority");
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
        const paths = [
          "one",
          "text.txt",
          deepFile.pathname,
          "void/",
          ...Array<string>(8).fill("one"),
        ];
        const urls = paths.map((path) => server().url(`/${path}`));
        const result = await run(trusting(...words, "--tries", "1", "-O", "-", ...urls));
        const all = `1${treeText}${deepFile.content().toString()}11111111`;
        expect(result).toMatchObject({ status: 0, stdout: all });
      });
    },
    tls(strict, { requireReuse: true, force: true, minVersion: version, maxVersion: version }),
  );

for (const version of ["TLSv1.2", "TLSv1.3"] as const)
  describeEachServer(
    `${version} only`,
    (server) => {
      test("a document and a listing arrive", async () => {
        const result = await run(
          trusting("-O", "-", server().url("/text.txt"), server().url("/void/")),
        );
        expect(result).toMatchObject({ status: 0, stdout: treeText });
      });
    },
    tls(["pure-ftpd"], { minVersion: version, maxVersion: version }),
  );

describeEachServer(
  "implicit TLS",
  (server) => {
    test("an ftps: URL is fetched", async () => {
      const result = await run(trusting("-O", "-", server().url("/text.txt")));
      expect(result).toMatchObject({ status: 0, stdout: treeText });
    });
  },
  tls(strict, { implicit: true }),
);

describeEachServer(
  "a client's certificate, demanded",
  (server) => {
    test("with one a document arrives", async () => {
      const { key, cert } = client;
      const own = ["--certificate", cert, "--private-key", key];
      const result = await run(trusting(...own, "-O", "-", server().url("/text.txt")));
      expect(result).toMatchObject({ status: 0, stdout: treeText });
    });

    test("without one it ends with status 5", async () => {
      const result = await run(trusting("--tries", "1", server().url("/text.txt")));
      expect(result).toMatchObject({ status: 5, stdout: "" });
      expect(result.stderr).toContain("certificate required");
    });
  },
  tls(strict, { clientCa: ca, force: true }),
);

/** The built program through Debian's own proxies to a real FTP server, in clear text and over TLS. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runInRealTime as run } from "../support/run-here.ts";
import { type Certificates, makeCertificates } from "./support/certificates.ts";
import { describeEachServer } from "./support/each-server.ts";
import {
  prepareProxy,
  proxyKinds,
  type ProxyKind,
  type RealProxy,
  realProxy,
  type RealProxyOptions,
} from "./support/proxies.ts";
import type { RealServer } from "./support/servers.ts";
import { deepFile, sha256, sizedFiles, treeText } from "./support/tree.ts";

const directory = mkdtempSync(join(tmpdir(), "ftpull-certificates-"));
let certificates: Certificates;
beforeAll(async () => {
  certificates = await makeCertificates(directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ready = new Set<ProxyKind>();
for (const kind of proxyKinds) if (await prepareProxy(kind)) ready.add(kind);

const http = (["tinyproxy", "squid"] as const).filter((kind) => ready.has(kind));

/** Runs `work` with a proxy, which is ended afterwards. */
async function withProxy(
  kind: ProxyKind,
  options: RealProxyOptions,
  work: (proxy: RealProxy) => Promise<void>,
): Promise<void> {
  const proxy = await realProxy(kind, options);
  try {
    await work(proxy);
  } finally {
    await proxy.close();
  }
}

/** What arrives through each proxy, with these words on the command line. */
function transfers(server: () => RealServer, words: () => readonly string[]): void {
  describe.each(proxyKinds)("through %s", (kind) => {
    test.skipIf(!ready.has(kind))("documents and listings arrive whole", () =>
      withProxy(kind, {}, async (proxy) => {
        const through = ["--tries", "1", ...words(), "--proxy", proxy.url()];
        const sized = sizedFiles.map(({ pathname }) => pathname);
        const paths = [...sized, "one", "text.txt;type=a", deepFile.pathname, "void/", "one"];
        const urls = paths.map((path) => server().url(`/${path}`));
        const result = await run([...through, "-O", "-", ...urls]);
        const texts = `1${treeText}${deepFile.content().toString()}1`;
        const octets = [...sizedFiles.map((file) => file.content()), Buffer.from(texts)];
        expect(sha256(result.stdoutBytes)).toBe(sha256(Buffer.concat(octets)));
        expect(result.status).toBe(0);
      }),
    );

    if (kind === "squid") return; // it asks another program about logins
    test.skipIf(!ready.has(kind))("a user and a password are wanted, and sent", () =>
      withProxy(kind, { login: { user: "alice", password: "se.cret" } }, async (proxy) => {
        const fetched = ["--tries", "1", ...words(), "-O", "-", server().url("/one")];
        const result = await run(["--proxy", proxy.url("alice:se%2Ecret"), ...fetched]);
        expect(result).toMatchObject({ status: 0, stdout: "1" });
        for (const login of [undefined, "alice:geheim"]) {
          const refused = await run(["--proxy", proxy.url(login), ...fetched]);
          expect(refused).toMatchObject({ status: 6, stdout: "" });
          expect(refused.stderr).not.toContain("geheim");
        }
      }),
    );
  });
}

describeEachServer("in clear text", (server) => transfers(server, () => []), { kinds: ["vsftpd"] });

describeEachServer(
  "over TLS whose session data connections must resume",
  (server) => transfers(server, () => ["--ca-certificate", certificates.ca]),
  {
    kinds: ["vsftpd"],
    options: () => ({ tls: { ...certificates.good, requireReuse: true, force: true } }),
  },
);

describeEachServer(
  "a proxy with rules",
  (server) => {
    test.each(http)("that permit port 443 alone refuses the control connection: %s", (kind) =>
      withProxy(kind, { ports: [443] }, async (proxy) => {
        const url = server().url("/one");
        const { status, stderr } = await run(["--proxy", proxy.url(), url]);
        const { port } = server();
        expect(stderr).toMatch(
          new RegExp(
            `^ftpull: ${url}: cannot connect to 127.0.0.1 port ${port}: the proxy replied ` +
              `"HTTP/1.[01] 403 .*"\nhint: the proxy's administrator has to permit CONNECT to port ` +
              `${port} and to ports above 1023\n$`,
          ),
        );
        expect(status).toBe(4);
      }),
    );

    test.each(http)("that permit the control port alone refuses the data connection: %s", (kind) =>
      withProxy(kind, { ports: [server().port] }, async (proxy) => {
        const { cwd, status, stderr } = await run(["--proxy", proxy.url(), server().url("/one")]);
        expect(stderr).toMatch(
          /: cannot open a data connection to port \d+ of 127\.0\.0\.1: the proxy replied "HTTP\/1\.[01] 403 /,
        );
        expect(status).toBe(4);
        expect(readdirSync(cwd)).toEqual([]);
      }),
    );

    test.skipIf(!ready.has("squid"))("that permit both brings the document: squid", () =>
      withProxy("squid", { ports: [server().port, "1024-65535"] }, async (proxy) => {
        const result = await run(["--proxy", proxy.url(), "-O", "-", server().url("/one")]);
        expect(result).toMatchObject({ status: 0, stdout: "1" });
      }),
    );

    test.each([...ready])("that can't reach the server says so: %s", (kind) =>
      withProxy(kind, {}, async (proxy) => {
        const url = "ftp://127.0.0.1:2/one";
        const { status, stderr } = await run(["--tries", "1", "--proxy", proxy.url(), url]);
        expect(stderr).toMatch(/: cannot connect to 127\.0\.0\.1 port 2: the proxy replied /);
        expect(status).toBe(4);
      }),
    );
  },
  { kinds: ["vsftpd"] },
);

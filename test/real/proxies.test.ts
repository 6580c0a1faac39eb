/** The built program through Debian's own proxies to a real FTP server, in clear text and over TLS. */
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runInRealTime as run } from "../support/run-here.ts";
import { certificatesForTests } from "./support/certificates.ts";
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
import { deepFile, sha256, sizedFiles, type TreeFile, treeText } from "./support/tree.ts";

const { ca, good } = certificatesForTests();

const ready = new Set<ProxyKind>();
for (const kind of proxyKinds) if (await prepareProxy(kind)) ready.add(kind);

const http = (["tinyproxy", "squid"] as const).filter((kind) => ready.has(kind));

/** A proxy for the tests of a `describe`. */
function proxyFor(kind: ProxyKind, options: RealProxyOptions = {}): (login?: string) => string {
  let proxy: RealProxy | undefined;
  beforeAll(async () => {
    proxy = await realProxy(kind, options);
  });
  afterAll(() => proxy?.close());
  return (login) => proxy?.url(login) ?? "";
}

/** The files, texts and listings of a tree arrive through each proxy, with these words. */
function transfers(server: () => RealServer, files: readonly TreeFile[], ...words: string[]): void {
  describe.each([...ready])("through %s", (kind) => {
    const url = proxyFor(kind);

    test("documents and listings arrive whole", async () => {
      const sized = files.map(({ pathname }) => pathname);
      const paths = [...sized, "one", "text.txt;type=a", deepFile.pathname, "void/", "one"];
      const urls = paths.map((path) => server().url(`/${path}`));
      const through = ["--tries", "1", ...words, "--proxy", url(), "-O", "-"];
      const result = await run([...through, ...urls]);
      const texts = `1${treeText}${deepFile.content().toString()}1`;
      const octets = [...files.map((file) => file.content()), Buffer.from(texts)];
      expect(sha256(result.stdoutBytes)).toBe(sha256(Buffer.concat(octets)));
      expect(result.status).toBe(0);
    });

    test("one that can't reach the server says so", async () => {
      const { status, stderr } = await run(["-t", "1", "--proxy", url(), "ftp://127.0.0.1:2/one"]);
      expect(stderr).toMatch(/: cannot connect to 127\.0\.0\.1 port 2: the proxy replied /);
      expect(status).toBe(4);
    });
  });
}

describeEachServer(
  "in clear text",
  (server) => {
    transfers(server, sizedFiles);

    // Squid asks another program about logins.
    describe.each([...ready].filter((kind) => kind !== "squid"))("through %s", (kind) => {
      const proxy = proxyFor(kind, { login: { user: "alice", password: "se.cret" } });

      test.each([
        ["alice:se%2Ecret", 0, "1"],
        [undefined, 6, ""],
        ["alice:geheim", 6, ""],
      ])("that wants a login, with %s: status %i", async (login, status, stdout) => {
        const result = await run([
          "-t",
          "1",
          "--proxy",
          proxy(login),
          "-O",
          "-",
          server().url("/one"),
        ]);
        expect(result).toMatchObject({ status, stdout });
        expect(result.stderr).not.toContain("geheim");
      });
    });

    describe.each(http)("through %s that permits port 443 alone", (kind) => {
      const proxy = proxyFor(kind, { ports: [443] });

      test("the control connection is refused", async () => {
        const url = server().url("/one");
        const { status, stderr } = await run(["--proxy", proxy(), url]);
        const { port } = server();
        expect(stderr).toMatch(
          new RegExp(
            `^ftpull: ${url}: cannot connect to 127.0.0.1 port ${port}: the proxy replied ` +
              `"HTTP/1.[01] 403 .*"\nhint: the proxy's administrator has to permit CONNECT to port ` +
              `${port} and to ports above 1023\n$`,
          ),
        );
        expect(status).toBe(4);
      });
    });

    test.each(http)("a data connection that %s doesn't permit is refused", async (kind) => {
      const proxy = await realProxy(kind, { ports: [server().port] });
      onTestFinished(() => proxy.close());
      const { cwd, status, stderr } = await run(["--proxy", proxy.url(), server().url("/one")]);
      expect(stderr).toMatch(
        /: cannot open a data connection to port \d+ of 127\.0\.0\.1: the proxy replied "HTTP\/1\.[01] 403 /,
      );
      expect(status).toBe(4);
      expect(readdirSync(cwd)).toEqual([]);
    });
  },
  { kinds: ["vsftpd"] },
);

describeEachServer(
  "over TLS whose session data connections must resume",
  (server) => transfers(server, sizedFiles.slice(0, -1), "--ca-certificate", ca),
  { kinds: ["vsftpd"], options: { tls: { ...good, requireReuse: true, force: true } } },
);

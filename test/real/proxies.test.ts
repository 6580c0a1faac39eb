/** The built program through Debian's own proxies to a real FTP server, in clear text and over TLS. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
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
import {
  deepFile,
  sha256,
  sizedFiles,
  type TreeFile,
  treeModified,
  treeText,
} from "./support/tree.ts";

const { ca, good } = certificatesForTests();

const ready = new Set<ProxyKind>();
for (const kind of proxyKinds) if (await prepareProxy(kind)) ready.add(kind);

const readyOf = (...kinds: ProxyKind[]): ProxyKind[] => kinds.filter((kind) => ready.has(kind));
/** Proxies that let any connection through, for FTP of our own. */
const tunnels = readyOf("tinyproxy", "squid", "microsocks");
/** HTTP proxies that fetch from FTP servers, and that don't. */
const [withFtp, withoutFtp] = [readyOf("squid", "apache"), readyOf("tinyproxy", "privoxy")];

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
  describe.each(tunnels)("through %s", (kind) => {
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
    describe.each(readyOf("tinyproxy", "microsocks"))("through %s", (kind) => {
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

    describe.each(withoutFtp)("through %s that permits port 443 alone", (kind) => {
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

    test.each(readyOf("tinyproxy"))(
      "a data connection that %s doesn't permit is refused",
      async (kind) => {
        const proxy = await realProxy(kind, { ports: [server().port] });
        onTestFinished(() => proxy.close());
        const { cwd, status, stderr } = await run(["--proxy", proxy.url(), server().url("/one")]);
        expect(stderr).toMatch(
          /: cannot open a data connection to port \d+ of 127\.0\.0\.1: the proxy replied "HTTP\/1\.[01] 403 /,
        );
        expect(status).toBe(4);
        expect(readdirSync(cwd)).toEqual([]);
      },
    );

    test.each(readyOf("squid"))(
      "without data connections through %s, files come by GET",
      async (kind) => {
        const proxy = await realProxy(kind, { ports: [server().port] });
        onTestFinished(() => proxy.close());
        const words = ["-O", "-", "--proxy", proxy.url(), server().url("/one")];
        expect(await run(words)).toMatchObject({ status: 0, stdout: "1" });
      },
    );

    // Squid permits port 443 alone, as its stock rules have it; Apache has no CONNECT, and replies 500.
    describe.each(withFtp)("by GET from %s", (kind) => {
      const proxy = proxyFor(kind, kind === "squid" ? { ports: [443] } : {});
      const get = (...words: string[]) => run(["-t", "1", "--proxy", proxy(), ...words]);

      test("files arrive whole, with their times", async () => {
        // Squid tells no length of an empty file.
        const files = sizedFiles.filter(({ pathname }) => kind !== "squid" || pathname !== "empty");
        const urls = [...files, deepFile].map(({ pathname }) => server().url(`/${pathname}`));
        const { status, cwd } = await get(...urls);
        for (const { pathname, content } of [...files, deepFile]) {
          const path = join(cwd, basename(pathname));
          expect(sha256(readFileSync(path))).toBe(sha256(content()));
          expect(statSync(path).mtime).toEqual(treeModified);
        }
        expect(status).toBe(0);
      });

      test.each([
        ["of a directory", "/deep", 9],
        ["of what isn't there", "/none", 8],
        ["as text", "/text.txt;type=a", 4],
        ["as a listing", "/void/", 4],
      ])("nothing comes %s", async (_claim, path, expected) => {
        const { status, stdout, cwd } = await get(server().url(path));
        expect([status, stdout, readdirSync(cwd)]).toEqual([expected, "", []]);
      });

      test("a user's login is the server's to judge", async () => {
        const { account } = server();
        const right = await get("-O", "-", server().url("/one", account));
        expect(right).toMatchObject({ status: 0, stdout: "1" });
        const wrong = await get(server().url("/one", { ...account, password: "geheim" }));
        expect(wrong.status).toBe(6);
        expect(wrong.stderr).not.toContain("geheim");
      });

      test("a server that isn't reached is a failure of the network", async () => {
        expect((await get("ftp://127.0.0.1:2/one")).status).toBe(4);
      });
    });
  },
  { kinds: ["vsftpd"] },
);

describeEachServer(
  "over TLS whose session data connections must resume",
  (server) => transfers(server, sizedFiles.slice(0, -1), "--ca-certificate", ca),
  { kinds: ["vsftpd"], options: { tls: { ...good, requireReuse: true, force: true } } },
);

/** The built program through Debian's own proxies to a real FTP server, in clear text and over TLS. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runInRealTime as run } from "../support/run-here.ts";
import { certificateFiles } from "./support/certificates.ts";
import { describeEachServer } from "./support/each-server.ts";
import {
  prepareProxies,
  type ProxyKind,
  type RealProxy,
  realProxy,
  type RealProxyOptions,
} from "./support/proxies.ts";
import type { RealServer } from "./support/servers.ts";
import { octets, text, treeModified } from "./support/tree.ts";

const good = certificateFiles();

const ready = await prepareProxies();

const readyOf = (...kinds: ProxyKind[]): ProxyKind[] => kinds.filter((kind) => ready.has(kind));
/** Proxies that let any connection through, for FTP of our own. */
const tunnels = readyOf("tinyproxy", "squid", "microsocks");
/** HTTP proxies that fetch from FTP servers. */
const withFtp = readyOf("squid", "apache");

/** A proxy for the tests of a `describe`. */
function proxyFor(kind: ProxyKind, options: RealProxyOptions = {}): (login?: string) => string {
  let proxy: RealProxy | undefined;
  beforeAll(async () => {
    proxy = await realProxy(kind, options);
  });
  afterAll(() => proxy?.close());
  return (login) => proxy?.url(login) ?? "";
}

/** Files, texts and listings arrive through each proxy, with these words. */
function transfers(server: () => RealServer, ...words: string[]): void {
  describe.each(tunnels)("through %s", (kind) => {
    const url = proxyFor(kind);

    test("files and listings arrive whole", async () => {
      const paths = ["10m.bin", "empty", "text.txt;type=a", "void/", "docs/a.txt"];
      const urls = paths.map((path) => server().url(`/${path}`));
      const through = ["--tries", "1", ...words, "--proxy", url(), "-O", "-"];
      const { status, stdoutBytes } = await run([...through, ...urls]);
      const expected = Buffer.concat([octets(10_000_000), Buffer.from(`${text}a`)]);
      expect([status, stdoutBytes.equals(expected)]).toEqual([0, true]);
    });

    test("one that can't reach the server says so", async () => {
      const { status, stderr } = await run(["-t", "1", "--proxy", url(), "ftp://127.0.0.1:2/x"]);
      expect(stderr).toMatch(/: cannot connect to 127\.0\.0\.1 port 2: the proxy replied /);
      expect(status).toBe(4);
    });
  });
}

describeEachServer(
  "in clear text",
  (server) => {
    transfers(server);

    // Squid asks another program about logins.
    describe.each(readyOf("tinyproxy", "microsocks"))("through %s", (kind) => {
      const proxy = proxyFor(kind, { login: { user: "alice", password: "se.cret" } });

      test.each([
        ["alice:se%2Ecret", 0, "a"],
        [undefined, 6, ""],
        ["alice:geheim", 6, ""],
      ])("that wants a login, with %s: status %i", async (login, status, stdout) => {
        const words = ["-t", "1", "--proxy", proxy(login), "-O", "-"];
        const result = await run([...words, server().url("/docs/a.txt")]);
        expect(result).toMatchObject({ status, stdout });
        expect(result.stderr).not.toContain("geheim");
      });
    });

    test.each(readyOf("tinyproxy"))("a control connection that %s refuses fails", async (kind) => {
      const proxy = await realProxy(kind, { ports: [443] });
      onTestFinished(() => proxy.close());
      const { status, stderr } = await run(["--proxy", proxy.url(), server().url("/empty")]);
      expect(stderr).toMatch(/: the proxy replied "HTTP\/1\.[01] 403 .*"; it has to permit .*\n$/);
      expect(status).toBe(4);
    });

    test.each(readyOf("tinyproxy"))(
      "a data connection that %s doesn't permit is refused",
      async (kind) => {
        const proxy = await realProxy(kind, { ports: [server().port] });
        onTestFinished(() => proxy.close());
        const { cwd, status, stderr } = await run([
          "--proxy",
          proxy.url(),
          server().url("/docs/a.txt"),
        ]);
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
        const words = ["-O", "-", "--proxy", proxy.url(), server().url("/docs/a.txt")];
        expect(await run(words)).toMatchObject({ status: 0, stdout: "a" });
      },
    );

    // Squid permits port 443 alone, as its stock rules have it; Apache has no CONNECT, and replies 500.
    describe.each(withFtp)("by GET from %s", (kind) => {
      const proxy = proxyFor(kind, kind === "squid" ? { ports: [443] } : {});
      const get = (...words: string[]) => run(["-t", "1", "--proxy", proxy(), ...words]);

      test("files arrive whole, with their times", async () => {
        const { status, cwd } = await get(server().url("/10m.bin"), server().url("/docs/a.txt"));
        expect(readFileSync(join(cwd, "10m.bin")).equals(octets(10_000_000))).toBe(true);
        expect(statSync(join(cwd, "a.txt")).mtime).toEqual(treeModified);
        expect(status).toBe(0);
      });

      test.each([
        ["of a directory", "/docs", 9],
        ["of what isn't there", "/none", 8],
        ["as text", "/text.txt;type=a", 4],
        ["as a listing", "/void/", 4],
      ])("nothing comes %s", async (_claim, path, expected) => {
        const { status, stdout, cwd } = await get(server().url(path));
        expect([status, stdout, readdirSync(cwd)]).toEqual([expected, "", []]);
      });

      test("a user's login is the server's to judge", async () => {
        const { account } = server();
        const right = await get("-O", "-", server().url("/docs/a.txt", account));
        expect(right).toMatchObject({ status: 0, stdout: "a" });
        const wrong = await get(server().url("/docs/a.txt", { ...account, password: "geheim" }));
        expect(wrong.status).toBe(6);
        expect(wrong.stderr).not.toContain("geheim");
      });

      test("a server that isn't reached is a failure of the network", async () => {
        expect((await get("ftp://127.0.0.1:2/x")).status).toBe(4);
      });
    });
  },
  { kinds: ["vsftpd"] },
);

describeEachServer(
  "over TLS whose session data connections must resume",
  (server) => transfers(server, "--ca-certificate", good.cert),
  { kinds: ["vsftpd"], options: { tls: { ...good, requireReuse: true, force: true } } },
);

/** Files through proxies that refuse CONNECT, as a user sees it: results, messages, and what isn't fetched so. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesIn } from "../conformance/support/client.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { getProxy, ok } from "./support/get-proxy.ts";
import { ScriptedProxy } from "./support/scripted-proxy.ts";

const time = "Last-Modified: Sat, 21 Nov 2026 07:30:00 GMT";
const permission = "; it has to permit CONNECT to the server's port and to ports above 1023";
const cut = ok("text", time).slice(0, -1);

test("a file arrives with its name and time, and -v says which way", async () => {
  const proxy = await getProxy(() => ok("text", time));
  const { status, stderr, cwd } = await run(["-v", "--proxy", proxy.url, "ftp://h/pub/a%20b"]);
  expect(filesIn(cwd)).toEqual({ "a b": "text" });
  expect(statSync(join(cwd, "a b")).mtime.toISOString()).toBe("2026-11-21T07:30:00.000Z");
  expect(stderr).toContain("the proxy refuses CONNECT: asking it for the file by GET\n");
  expect(proxy.gets()).toEqual(["GET ftp://h/pub/a%20b;type=i HTTP/1.0"]);
  expect(status).toBe(0);
});

test("without -v nothing is said of the way, and CONNECT is asked for once", async () => {
  const proxy = await getProxy((request) => ok(/h\/(\w)/.exec(request)![1]!));
  const { stderr, stdout } = await run(["-O", "-", "--proxy", proxy.url, "ftp://h/a", "ftp://h/b"]);
  expect(stdout).toBe("ab");
  expect(stderr).not.toMatch(/GET|CONNECT|proxy/);
  expect(proxy.heads.map((head) => head.split(" ")[0])).toEqual(["CONNECT", "GET", "GET"]);
});

test.each(["403 Forbidden", "405 No", "501 No"])(
  "CONNECT that is refused by %s is one of GET",
  async (line) => {
    const proxy = await getProxy(() => ok("text"), { connect: `HTTP/1.1 ${line}\r\n\r\n` });
    const { stdout } = await run(["-O", "-", "--proxy", proxy.url, "ftp://h/x"]);
    expect(stdout).toBe("text");
  },
);

test.each([
  ["407 Who?", 6],
  ["503 Service Unavailable", 4],
])("CONNECT that fails by %s is none", async (line, expected) => {
  const proxy = await getProxy(() => ok("text"), { connect: `HTTP/1.1 ${line}\r\n\r\n` });
  const { status } = await run(["--proxy", proxy.url, "ftp://h/x"]);
  expect([status, proxy.gets()]).toEqual([expected, []]);
});

test("a data connection that is refused leads to GET, too", async () => {
  const server = await startServer({ files: { x: "other" } });
  const refusal = { reply: "HTTP/1.1 403 Forbidden\r\n\r\n", next: "end" } as const;
  const answer = { reply: ok("text"), next: "end", early: true } as const;
  const proxy = await ScriptedProxy.start({ on: { 2: refusal, 3: answer } });
  const { stdout } = await run(["-O", "-", "--proxy", proxy.url(), server.url("/x")]);
  expect(stdout).toBe("text");
});

test("the user's login goes in its header, and is shown nowhere", async () => {
  const proxy = await getProxy(() => "HTTP/1.1 401 bad geheim\r\n\r\n", { login: "jo:versteckt" });
  const words = ["-v", "--proxy", proxy.url, "ftp://jane:geheim@h/x"];
  const { status, stdout, stderr } = await run(words);
  const head = proxy.heads.at(-1)!;
  expect(head).toContain(`\r\nAuthorization: Basic ${btoa("jane:geheim")}\r\n`);
  expect(head).toContain(`\r\nProxy-Authorization: Basic ${btoa("jo:versteckt")}\r\n`);
  expect(head).not.toContain("jane");
  expect(stdout + stderr).not.toMatch(/geheim|versteckt|amFuZT|am86/);
  expect(status).toBe(6);
});

test("a login that the server refuses is tried once for all files, as accounts get locked", async () => {
  const proxy = await getProxy(() => "HTTP/1.1 401 Unauthorized\r\n\r\n");
  const urls = ["a", "b", "c"].map((name) => `ftp://jane:geheim@h/${name}`);
  const { status } = await run(["-j", "3", "--proxy", proxy.url, ...urls]);
  expect([status, proxy.gets()]).toEqual([6, ["GET ftp://h/a;type=i HTTP/1.0"]]);
});

describe("tries", () => {
  test("begin at 0, whatever has come before", async () => {
    const proxy = await getProxy((_request, nth) => (nth < 3 ? cut : ok("text", time)));
    const { status, stderr, cwd } = await run(["--proxy", proxy.url, "ftp://h/x"]);
    expect(filesIn(cwd)).toEqual({ x: "text" });
    expect(stderr.match(/expected 4 bytes, received 3; trying again/g)).toHaveLength(2);
    expect(status).toBe(0);
  });

  test("that all fail keep nothing, of a large file neither", async () => {
    const large = "x".repeat(300_000);
    for (const text of ["text", large]) {
      const proxy = await getProxy(() => ok(text, time).slice(0, -1));
      const { status, stderr, cwd } = await run(["--proxy", proxy.url, "ftp://h/x"]);
      expect([status, filesIn(cwd), proxy.gets().length]).toEqual([9, {}, 5]);
      expect(stderr).not.toContain("goes on from there");
    }
  });

  test("end on standard output once bytes are out", async () => {
    const proxy = await getProxy((_request, nth) => (nth === 1 ? cut : ok("text")));
    const result = await run(["-O", "-", "--proxy", proxy.url, "ftp://h/x"]);
    expect([result.status, result.stdout]).toEqual([9, "tex"]);
  });

  test("an earlier run's partial file isn't gone on with", async () => {
    const large = Array.from({ length: 30_000 }, (_, line) => `line ${line}\n`).join("");
    const server = await startServer({ files: { x: { content: large, modified: new Date(0) } } });
    const half = Buffer.byteLength(large) / 2;
    const broken = await ScriptedProxy.start({ cutsAfter: Math.floor(half) });
    const url = server.url("/x");
    const { cwd } = await run(["-t", "1", "--proxy", broken.url(), url]);
    expect(Object.keys(filesIn(cwd))).toContain("x.ftpull");
    const other = "y".repeat(large.length);
    const proxy = await getProxy(() => ok(other, "Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT"));
    const result = await run(["--proxy", proxy.url, url], { cwd });
    expect([result.status, filesIn(cwd)]).toEqual([0, { x: other }]);
  });
});

test("a proxy that refuses both is told by its answer to CONNECT", async () => {
  const proxy = await getProxy(() => "HTTP/1.1 400 no FTP here\r\n\r\n");
  const { status, stderr } = await run(["--proxy", proxy.url, "ftp://h/x"]);
  expect(stderr).toBe(
    `ftpull: ftp://h/x: cannot connect to h port 21: the proxy replied "HTTP/1.1 403 Forbidden"${permission}\n`,
  );
  expect(status).toBe(4);
});

test.each<[words: string[]]>([
  [["ftp://h/pub/"]],
  [["-r", "ftp://h/pub/"]],
  [["ftp://h/*.gz"]],
  [["-s", "2", "ftp://h/x"]],
  [["-c", "ftp://h/x"]],
  [["-N", "ftp://h/x"]],
  [["--spider", "ftp://h/x"]],
  [["--verify", "ftp://h/x"]],
  [["--site", "umask 022", "ftp://h/x"]],
  [["ftp://h/x;type=a"]],
  [["--guess-type", "ftp://h/x.txt"]],
  [["--tls", "ftp://h/x"]],
  [["ftps://h:21/x"]],
  [["ftpes://h/x"]],
])("is never asked by GET, and the failure names what to permit: %j", async (words) => {
  const proxy = await getProxy(() => ok("text"));
  const { status, stderr, cwd } = await run([...words, "--proxy", proxy.url]);
  expect(stderr).toContain(`the proxy replied "HTTP/1.1 403 Forbidden"${permission}\n`);
  expect([status, proxy.gets(), filesIn(cwd)]).toEqual([4, [], {}]);
});

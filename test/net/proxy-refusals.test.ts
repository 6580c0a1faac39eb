/** What proxies refuse, and what they send that isn't the server's: it never becomes a document. */
import { describe, expect, it } from "vitest";
import { filesIn, ftpull } from "../conformance/support/client.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { established } from "./support/handshakes.ts";
import { type Answer, ScriptedProxy } from "./support/scripted-proxy.ts";

const files = { x: "text" };
const permission = "; it has to permit CONNECT to the server's port and to ports above 1023";

async function failure(
  answer: Omit<Answer, "next">,
  protocol: "http" | "socks5" = "http",
): Promise<[stderr: string, status: number | null]> {
  const proxy = await ScriptedProxy.start({ protocol, on: { 1: { next: "end", ...answer } } });
  const { stderr, status } = await ftpull(["--proxy", proxy.url("u:geheim"), "ftp://h/x"]);
  expect(stderr).not.toContain("geheim");
  return [stderr.replace("ftpull: ftp://h/x: cannot connect to h port 21: ", ""), status];
}

describe("an HTTP proxy", () => {
  it.each([
    ["HTTP/1.1 403 Forbidden", permission],
    ["HTTP/1.0 302 Found", permission],
    ["HTTP/1.1 501 Not Implemented", permission],
    ["HTTP/1.1 502 Bad Gateway", ""],
    ["HTTP/1.1 503", ""],
    ["HTTP/1.1 500 Unable to connect", ""],
  ])("that replies %s is quoted", async (line, more) => {
    const reply = `${line}\r\nContent-Length: 9\r\n\r\n<html>no`;
    expect(await failure({ reply })).toEqual([`the proxy replied "${line}"${more}\n`, 4]);
  });

  it.each([
    ["Basic realm=x", "", "; its URL has no user"],
    ["Basic realm=x", "u:geheim", ""],
  ])("that wants %j, with the login %j, ends with status 6", async (scheme, login, more) => {
    const line = "HTTP/1.1 407 Proxy Authentication Required";
    const reply = `${line}\r\nProxy-Authenticate: ${scheme}\r\n\r\n`;
    const proxy = await ScriptedProxy.start({ on: { 1: { reply, next: "end" } } });
    const { stderr, status } = await ftpull(["-v", "--proxy", proxy.url(login), "ftp://h/x"]);
    expect(stderr).toContain(`cannot connect to h port 21: the proxy replied "${line}"${more}\n`);
    expect(stderr).not.toContain("geheim");
    expect(status).toBe(6);
  });

  it.each([
    ["220 ready\r\n"],
    ["\x05\xff"],
    ["HTTPS\r\n\r\n"],
    ["HTTP/2 200\r\n\r\n"],
    // An echo of the request has the password in it.
    ["CONNECT h:21 HTTP/1.1\r\nProxy-Authorization: Basic dTpnZWhlaW0=\r\n\r\n"],
  ])("that sends %j speaks another protocol", async (reply) => {
    const words = "the proxy does not speak HTTP\n";
    expect(await failure({ reply: Buffer.from(reply, "latin1") })).toEqual([words, 4]);
  });

  it.each(["Content-Type: text/html\r\n", "content-length: 39\r\n"])(
    "that replies with a page (%j) does not speak CONNECT: status 7",
    async (fields) => {
      const reply = `HTTP/1.1 200 OK\r\n${fields}\r\n${page}`;
      const words = 'the proxy replied "HTTP/1.1 200 OK" and a page, not a tunnel\n';
      expect(await failure({ reply })).toEqual([words, 7]);
    },
  );

  it("that can't be tried with success for now is tried again, other ones are not", async () => {
    const server = await startServer({ files });
    const gateway: Answer = { reply: "HTTP/1.1 503 Service Unavailable\r\n\r\n", next: "end" };
    const proxy = await ScriptedProxy.start({ on: { 1: gateway, 2: gateway } });
    const retried = await run(["--proxy", proxy.url(), "-O", "-", server.url("/x")]);
    expect(retried).toMatchObject({ status: 0, stdout: "text" });

    const forbidden: Answer = { reply: "HTTP/1.1 403 Forbidden\r\n\r\n", next: "end" };
    const strict = await ScriptedProxy.start({ on: { 1: forbidden } });
    const result = await run(["--proxy", strict.url(), server.url("/x")]);
    // CONNECT, and GET.
    expect([result.status, strict.connections]).toEqual([4, 2]);
  });
});

describe("a SOCKS5 proxy", () => {
  it.each([
    [2, "connection not allowed by ruleset", permission],
    [3, "network unreachable", ""],
    [5, "connection refused", ""],
    [7, "command not supported", ""],
    [9, "unknown", ""],
  ])("that replies %i is quoted: %s", async (code, words, more) => {
    const reply = Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
    const proxy = await ScriptedProxy.start({
      protocol: "socks5",
      on: { 1: { reply, next: "end" } },
    });
    const { stderr, status } = await ftpull(["--proxy", proxy.url(), "ftp://h/x"]);
    const expected = `the proxy replied ${code} "${words}"${more}\n`;
    expect(stderr).toBe(`ftpull: ftp://h/x: cannot connect to h port 21: ${expected}`);
    expect(status).toBe(4);
  });

  it.each<[octets: number[], words: RegExp, status: number]>([
    [[4, 0], /^the proxy does not speak SOCKS5\n/, 4],
    [[0x48, 0x54, 0x54, 0x50], /^the proxy does not speak SOCKS5\n/, 4],
    [[5, 0xff], /^the proxy accepts no login that is supported\n/, 6],
    [[5, 1], /^the proxy accepts no login that is supported\n/, 6],
  ])("that chooses %j among the logins is refused", async (octets, words, status) => {
    const outcome = await failure({ reply: Buffer.from(octets), early: true }, "socks5");
    expect(outcome).toEqual([expect.stringMatching(words), status]);
  });

  it.each([
    ["", "the proxy accepts no login that is supported; its URL has no user"],
    ["u:geheim", "the proxy rejects the user and password in its URL\n"],
    ["u", "the proxy rejects the user and password in its URL\n"],
  ])("that wants another login than %j ends with status 6", async (login, words) => {
    const proxy = await ScriptedProxy.start({ protocol: "socks5", login: "u:p" });
    const { stderr, status } = await ftpull(["-v", "--proxy", proxy.url(login), "ftp://h/x"]);
    expect(stderr).toContain(`cannot connect to h port 21: ${words}`);
    expect(stderr).not.toContain("geheim");
    expect(status).toBe(6);
  });
});

const page = "<html><body>please log in</body></html>";
const headers = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";

const impostors: [what: string, answer: Answer, status: number][] = [
  ["an error page", { reply: `HTTP/1.1 403 Forbidden\r\n\r\n${page}`, next: "end" }, 4],
  ["a page with 200", { reply: `${headers}\r\n${page}`, next: "end" }, 7],
  [
    "the length of a page that is yet to come",
    { reply: `${headers}content-length:${page.length}\r\n\r\n`, next: "tunnel" },
    7,
  ],
  ["a page without HTTP", { reply: page, next: "end" }, 4],
  ["a tunnel, and a page before the data", { reply: established + page, next: "tunnel" }, 7],
];

describe.each(impostors)("%s in place of a data connection", (_what, answer, status) => {
  // Without SIZE the count shows nothing, and the server confirms whatever it was told to.
  const on = { SIZE: "550 no", RETR: ["150 here", "226 done"], MLSD: ["150 here", "226 done"] };
  const answers = { 2: answer, 3: answer, 4: answer, 5: answer };

  it.each(["/x", "/x;type=a"])("is no document: %s", async (path) => {
    const server = await startServer({ files, on });
    const proxy = await ScriptedProxy.start({ on: answers });
    const result = await ftpull(["--proxy", proxy.url(), server.url(path)]);
    expect(filesIn(result.cwd)).toEqual({});
    expect(result.stdout).toBe("");
    expect(result.status).toBe(status);
  });

  it("is no listing, and nothing on standard output", async () => {
    const server = await startServer({ files, on });
    const proxy = await ScriptedProxy.start({ on: answers });
    const result = await ftpull(["--proxy", proxy.url(), "-O", "-", server.url("/")]);
    expect(result.stdout).toBe("");
    expect(result.status).toBe(status);
  });
});

it("a data connection that the proxy refuses is told with what it has to permit", async () => {
  const server = await startServer({ files });
  const forbidden: Answer = { reply: "HTTP/1.1 403 Forbidden\r\n\r\n", next: "end" };
  const proxy = await ScriptedProxy.start({ on: { 2: forbidden } });
  const { stderr, status } = await ftpull(["--proxy", proxy.url(), server.url("/x")]);
  const port = proxy.targets[1]?.split(":")[1];
  expect(stderr).toContain(
    `cannot open a data connection to port ${port} of 127.0.0.1: the proxy replied "HTTP/1.1 403 Forbidden"${permission}\n`,
  );
  expect(server.commands.slice(-2)).toEqual(["EPSV", "QUIT"]);
  expect(status).toBe(4);
});

/** Files by GET from a proxy: what a lying proxy sends is never whole, and each failure has its kind. */
import { describe, expect, onTestFinished, test } from "vitest";
import { toFtpullError } from "../../src/errors.ts";
import { getByProxy } from "../../src/net/proxy-get.ts";
import type { ProxyLogin, ProxyServer } from "../../src/net/proxy-server.ts";
import { idleClock } from "../support/idle-clock.ts";
import { type GetAnswer, getProxy, ok } from "./support/get-proxy.ts";

interface Asked {
  readonly url?: string;
  readonly login?: ProxyLogin | undefined;
  readonly proxyLogin?: ProxyLogin | undefined;
  readonly signal?: AbortSignal;
}

/** The bytes with size and time, or the failure: kind, whether it is passing, message. */
async function got(answer: GetAnswer | string, asked: Asked = {}) {
  const { url = "ftp://h/x;type=i", login, proxyLogin, signal } = asked;
  const { port, heads } = await getProxy(() => answer);
  const proxy: ProxyServer = {
    protocol: "http",
    host: "127.0.0.1",
    port,
    login: proxyLogin,
    source: "--proxy",
  };
  const options = {
    timeoutMs: 30_000,
    family: undefined,
    localAddress: undefined,
    signal: signal ?? new AbortController().signal,
  };
  const chunks: Buffer[] = [];
  try {
    const file = await getByProxy(proxy, url, login, options);
    await file.receive(async (chunk) => void chunks.push(chunk));
    const { size, modified } = file;
    const text = Buffer.concat(chunks).toString();
    return { heads, outcome: [size, modified?.toISOString(), text] };
  } catch (thrown) {
    const { kind, transient, message } = toFtpullError(thrown);
    return { heads, outcome: [kind, transient, message] };
  }
}

const time = "Last-Modified: Sat, 21 Nov 2026 07:30:00 GMT";
const length =
  "integrity false the proxy doesn't say how long the file is: nothing would show that it is whole";
const page = "integrity false the proxy sent a page, not the file: it may be a directory";
const said = (line: string): string => `the proxy replied "HTTP/1.1 ${line}"`;
const replied = (line: string, ...fields: string[]): string =>
  [`HTTP/1.1 ${line}`, ...fields, "Content-Length: 3", "", "no\n"].join("\r\n");

describe("a whole file", () => {
  test.each<[claim: string, answer: GetAnswer | string, outcome: unknown[]]>([
    ["has its count", ok("text", time), [4, "2026-11-21T07:30:00.000Z", "text"]],
    ["may have no time", ok("text"), [4, undefined, "text"]],
    ["may be empty", ok(""), [0, undefined, ""]],
    ["comes in pieces", { pieces: ok("text").split("") }, [4, undefined, "text"]],
    ["may be followed by a reset", { pieces: [ok("text")], end: "reset" }, [4, undefined, "text"]],
  ])("%s", async (_claim, answer, outcome) => {
    expect((await got(answer)).outcome).toEqual(outcome);
  });

  test("is whole, too, where the proxy keeps the connection open", async () => {
    idleClock();
    const { outcome } = await got({ pieces: [ok("text")], end: "open" });
    expect(outcome).toEqual([4, undefined, "text"]);
  });

  test("may be a page, if its name says so and it has a time", async () => {
    const asked = { url: "ftp://h/index.html;type=i" };
    const answer = ok("<html>", "Content-Type: text/html", time);
    expect((await got(answer, asked)).outcome.at(-1)).toBe("<html>");
  });
});

describe("no file", () => {
  test.each<[claim: string, answer: GetAnswer | string, outcome: string]>([
    ["a short body", ok("text").slice(0, -1), "integrity true expected 4 bytes, received 3"],
    ["a long one", `${ok("text")}more`, "integrity false expected 4 bytes, received 8"],
    ["a page", ok("<html>", "Content-Type: text/html; charset=utf-8", time), page],
    ["no length", "HTTP/1.0 200 OK\r\n\r\ntext", length],
    ["two lengths", ok("text", "Content-Length: 5"), length],
    ["a length that is no number", ok("text").replace(": 4", ": -4"), length],
    ["chunks", ok("4\r\ntext\r\n0\r\n\r\n", "Transfer-Encoding: chunked"), length],
    [
      "endless headers",
      { pieces: endless(), end: "open" },
      "network false the proxy's answer is too long",
    ],
    ["no answer", { pieces: [] }, "network true the proxy closed the connection without an answer"],
    ["no HTTP", "220 ready\r\n\r\n", "network false the proxy does not speak HTTP"],
    ["404", replied("404 Not Found"), `refused false ${said("404 Not Found")}`],
    ["401", replied("401 Unauthorized"), `login false ${said("401 Unauthorized")}`],
    ["407", replied("407 Who?"), `login false ${said("407 Who?")}; its URL has no user`],
    ["403", replied("403 Forbidden"), `network false ${said("403 Forbidden")}`],
    [
      "a redirect",
      replied("302 Found", "Location: http://x/"),
      `network false ${said("302 Found")}`,
    ],
    ["504", replied("504 Late"), `network true ${said("504 Late")}`],
    [
      "206",
      replied("206 Partial Content"),
      `integrity false ${said("206 Partial Content")}, which is no whole file`,
    ],
  ])("is made of %s", async (_claim, answer, outcome) => {
    expect((await got(answer)).outcome.join(" ")).toBe(outcome);
  });

  test("is made of a directory's page, although its name is a page's", async () => {
    const answer = ok("<html>", "Content-Type: text/html");
    expect((await got(answer, { url: "ftp://h/index.html;type=i" })).outcome.join(" ")).toBe(page);
  });

  test.each([
    ["silence", []],
    ["silence in the body", [ok("text").slice(0, -1)]],
  ])("is made of %s", async (_claim, pieces) => {
    idleClock();
    const { outcome } = await got({ pieces, end: "open" });
    const words = pieces.length > 0 ? "no data for 30 s" : "the proxy did not answer within 30 s";
    expect(outcome).toEqual(["network", true, words]);
  });

  test("is made of an interruption", async () => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Error("enough")), 50);
    onTestFinished(() => clearTimeout(timer));
    const answer: GetAnswer = { pieces: [ok("text").slice(0, -1)], end: "open" };
    expect((await got(answer, { signal: controller.signal })).outcome.at(-1)).toBe("enough");
  });
});

function* endless(): Generator<string> {
  yield "HTTP/1.1 200 OK\r\n";
  for (;;) yield `X-Field: ${"x".repeat(1000)}\r\n`;
}

test("logins go in fields of their own", async () => {
  const login = { user: "jane", password: "p%w" };
  const proxyLogin = { user: "jo", password: "geheim" };
  const asked = { url: "ftp://h:2121/a%20b;type=i", login, proxyLogin };
  const { heads, outcome } = await got(replied("403 Forbidden"), asked);
  expect(outcome.join(" ")).toBe(`login false ${said("403 Forbidden")}`);
  expect(heads).toEqual([
    "GET ftp://h:2121/a%20b;type=i HTTP/1.0\r\nHost: h:2121\r\nAccept: */*\r\n" +
      `Authorization: Basic ${btoa("jane:p%w")}\r\nProxy-Authorization: Basic ${btoa("jo:geheim")}\r\n\r\n`,
  ]);
});

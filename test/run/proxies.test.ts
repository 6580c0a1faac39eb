/** Which proxy a URL is fetched through: options, environment, exceptions. */
import { afterAll, describe, expect, test, vi } from "vitest";
import { toFtpullError } from "../../src/errors.ts";
import { parseCommandLine, type Settings } from "../../src/options/command-line.ts";
import { proxyChoice } from "../../src/run/proxies.ts";
import { conceal } from "../../src/text/secrets.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";

// The process conceals the secrets of these tests from then on: other tests get modules of their own.
afterAll(() => void vi.resetModules());

function settingsOf(...words: string[]): Settings {
  return parseCommandLine([...words, "ftp://h/x"]).settings!;
}

async function route(
  environment: Record<string, string>,
  words: string[] = [],
  url = "ftp://ftp.example.com/x",
): Promise<string> {
  const proxyFor = proxyChoice(settingsOf(...words), undefined, environment);
  return proxyFor(parseFtpUrl(url))?.host ?? "direct";
}

describe("the proxy", () => {
  test.each<[environment: Record<string, string>, words: string[], host: string]>([
    [{}, [], "direct"],
    [{}, ["--proxy", "http://a"], "a"],
    [{ ftp_proxy: "http://a" }, [], "a"],
    [{ ALL_PROXY: "http://a" }, [], "a"],
    [{ http_proxy: "http://a", HTTP_PROXY: "http://a", https_proxy: "http://a" }, [], "direct"],
    [{ ftp_proxy: "http://b" }, ["--proxy", "http://a"], "a"],
    [{ FTP_PROXY: "http://b", ftp_proxy: "http://a" }, [], "a"],
    [{ all_proxy: "http://b", FTP_PROXY: "http://a" }, [], "a"],
    [{ ALL_PROXY: "http://b", all_proxy: "http://a" }, [], "a"],
    // What is empty means none, and isn't a gap that another variable fills.
    [{ ftp_proxy: "", all_proxy: "http://b" }, [], "direct"],
    [{ ftp_proxy: "http://b", ALL_PROXY: "nonsense://" }, ["--no-proxy"], "direct"],
    [{ ftp_proxy: "http://a", no_proxy: "other.example" }, [], "a"],
    [{ ftp_proxy: "http://a", no_proxy: "example.com" }, [], "direct"],
    [{ ftp_proxy: "http://a", NO_PROXY: "example.com:21" }, [], "direct"],
    [{ ftp_proxy: "http://a", no_proxy: "other.example", NO_PROXY: "*" }, [], "a"],
    [{ no_proxy: "*", ftp_proxy: "http://b" }, ["--proxy", "http://a"], "a"],
  ])("with %j and %j is: %s", async (environment, words, host) => {
    expect(await route(environment, words)).toBe(host);
  });

  test("depends on the port of the URL", async () => {
    const environment = { ftp_proxy: "http://a", no_proxy: "example.com:990" };
    expect(await route(environment, [], "ftps://ftp.example.com/x")).toBe("direct");
    expect(await route(environment, [], "ftpes://ftp.example.com/x")).toBe("a");
  });

  test("is a contradiction to --active, except for servers without it", async () => {
    const environment = { all_proxy: "http://a", no_proxy: "h" };
    expect(await route(environment, ["--active"], "ftp://h/x")).toBe("direct");
    await expect(route(environment, ["--active"])).rejects.toMatchObject({
      kind: "usage",
      message: "--active does not work through a proxy, as all_proxy names one",
      hint: "--no-proxy connects directly",
    });
  });
});

describe("the URL of a proxy", () => {
  test.each([
    ["http://proxy.example.com:3128", "proxy.example.com, port 3128, by http (ftp_proxy)"],
    ["proxy.example.com:3128", "proxy.example.com, port 3128, by http (ftp_proxy)"],
    ["alice:secret@proxy:3128", "proxy, port 3128, by http (ftp_proxy)"],
    ["http://proxy", "proxy, port 80, by http (ftp_proxy)"],
    ["socks5://proxy", "proxy, port 1080, by socks5 (ftp_proxy)"],
    ["socks5h://proxy:9050", "proxy, port 9050, by socks5 (ftp_proxy)"],
    ["socks5://[::1]:1080", "[::1], port 1080, by socks5 (ftp_proxy)"],
  ])("%s is understood", async (text, shown) => {
    const detail = vi.fn();
    const proxyFor = proxyChoice(settingsOf(), { detail }, { ftp_proxy: text });
    proxyFor(parseFtpUrl("ftp://h/x"));
    expect(detail).toHaveBeenCalledWith(`h: through the proxy ${shown}`);
  });

  test.each([
    ["http://proxy", undefined],
    ["http://alice@proxy", { user: "alice", password: "" }],
    ["http://al%40ce:s%3Acret%2F@proxy", { user: "al@ce", password: "s:cret/" }],
    ["socks5://a:b:c@d@proxy", { user: "a", password: "b:c@d" }],
    ["http://é:%FF@proxy", { user: "\xc3\xa9", password: "\xff" }],
    ["http://:x@proxy", { user: "", password: "x" }],
  ])("%s has the login %j, as octets, and its secret is concealed", async (text, login) => {
    const proxyFor = proxyChoice(settingsOf("--proxy", text), undefined, {});
    expect(proxyFor(parseFtpUrl("ftp://h/x"))?.login).toEqual(login);
    // A user without a password may be a token.
    if (login !== undefined) expect(conceal(login.password || login.user)).toBe("***");
  });

  test.each([
    ["ftp://geheim@proxy:21", 'the scheme "ftp:" is not http:, socks5: or socks5h:'],
    ["https://u:geheim@proxy", 'the scheme "https:" is not http:, socks5: or socks5h:'],
    ["socks4://proxy", 'the scheme "socks4:" is not http:, socks5: or socks5h:'],
    ["http://", "the URL has no host"],
    ["http:proxy", "the port is not a number from 1 to 65535"],
    ["http://proxy:65536", "the port is not a number from 1 to 65535"],
    ["http://u:geheim", "the port is not a number from 1 to 65535"],
    ["http://u:gehe/im@proxy:80", "there is text behind the host and port of the proxy"],
    ["http://u:80/geheim@proxy:80", "there is text behind the host and port of the proxy"],
    ["http://proxy?geheim", "there is text behind the host and port of the proxy"],
    ["http://u:%geheim@proxy", ""],
  ])("%s is an error that shows no password", async (text, words) => {
    const choice = async () => proxyChoice(settingsOf(), undefined, { FTP_PROXY: text });
    const {
      kind,
      message,
      hint = "",
    } = toFtpullError(await choice().catch((error: unknown) => error));
    expect(message).toContain(`FTP_PROXY: ${words}`);
    expect(`${message} ${hint}`).not.toMatch(/gehe|im@/);
    expect(kind).toBe("usage");
  });
});

/** The built program through scripted proxies that work, and through proxies that don't answer. */
import { describe, expect, it } from "vitest";
import { ftpull } from "../conformance/support/client.ts";
import { anonymousLogin, expectCommands, retrieval } from "../conformance/support/dialogue.ts";
import { reply227, refuseData } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import type { Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { securedLogin, startSecured, trusting } from "../tls/support/secured.ts";
import { ScriptedProxy } from "./support/scripted-proxy.ts";

const files = { x: "text" };
/** A name that no resolver knows. */
const name = "ftp.example.invalid";

function named(url: string): string {
  return url.replace("127.0.0.1", name);
}

/** PASV as of a server that knows itself by a private address. */
const privateAddress: Step = async ({ session }) =>
  session.reply(reply227(await session.data.listen(), "192.0.2.1"));

describe.each(["http", "socks5"] as const)("through an %s proxy", (protocol) => {
  it("control and data connections are asked for by the server's name", async () => {
    const server = await startServer({ files });
    const proxy = await ScriptedProxy.start({ protocol });
    const result = await ftpull(["--proxy", proxy.url(), "-O", "-", named(server.url("/x"))]);
    expect(result).toMatchObject({ status: 0, stdout: "text" });
    const [control, data, ...others] = proxy.targets;
    expect(control).toBe(`${name}:${server.port}`);
    expect(data).toMatch(new RegExp(`^${name}:[1-9]\\d*$`));
    expect(others).toEqual([]);
    const [, ...login] = anonymousLogin;
    expectCommands(server, `HOST ${name}`, ...login, ...retrieval("x"), "QUIT");
  });

  it("a greeting that comes along with the proxy's reply isn't lost", async () => {
    const server = await startServer({ files });
    const proxy = await ScriptedProxy.start({ protocol, joins: true });
    const result = await ftpull(["--proxy", proxy.url(), "-O", "-", server.url("/x")]);
    expect(result).toMatchObject({ status: 0, stdout: "text" });
    expectCommands(server, ...anonymousLogin, ...retrieval("x"), "QUIT");
  });

  it("replies may come octet by octet", async () => {
    const server = await startServer({ files });
    const proxy = await ScriptedProxy.start({ protocol, login: "u:p", drips: true });
    const result = await ftpull(["--proxy", proxy.url("u:p"), "-O", "-", server.url("/x")]);
    expect(result).toMatchObject({ status: 0, stdout: "text" });
  });

  it("PASV's port is asked for by the same name, where EPSV's can't be reached (X3)", async () => {
    const server = await startServer({ files, on: { EPSV: refuseData, PASV: privateAddress } });
    const proxy = await ScriptedProxy.start({ protocol });
    const result = await ftpull(["-v", "--proxy", proxy.url(), "-O", "-", named(server.url("/x"))]);
    expect(result.stderr).toContain(": asking for ports by PASV from now on");
    expect(result).toMatchObject({ status: 0, stdout: "text" });
    expect(new Set(proxy.targets.map((target) => target.split(":")[0]))).toEqual(new Set([name]));
  });

  it.each(["ftpes", "ftps"])("TLS works, and data resumes its session: %s", async (scheme) => {
    const implicit = scheme === "ftps";
    const all = { ...files, big: { size: 300_000, seed: 1 } };
    const server = await startSecured({ requireReuse: true, implicit }, { files: all });
    const proxy = await ScriptedProxy.start({ protocol });
    const urls = ["/x", "/", "/big"].map((path) => server.url(path, { scheme }));
    const words = [...(await trusting()), "--proxy", proxy.url(), "-O", "-", ...urls];
    const result = await ftpull(words);
    const octets = [Buffer.from("textx\nbig\n"), generatedOctets(1, 0, 300_000)];
    expect(result.stdoutBytes.equals(Buffer.concat(octets))).toBe(true);
    expect([result.status, server.connections.length]).toEqual([0, 1]);
    const auth = implicit ? [] : ["AUTH TLS"];
    expect(server.commands.slice(0, auth.length + 3)).toEqual([
      ...auth,
      ...securedLogin.slice(0, 3),
    ]);
  });

  it("without an answer a try ends after -T, and the server isn't reached otherwise", async () => {
    const server = await startServer({ files });
    const on = { 1: { reply: "", next: "silence" } } as const;
    const proxy = await ScriptedProxy.start({ protocol, on });
    const { status, stderr } = await ftpull(["-T", "3", "--proxy", proxy.url(), server.url("/x")]);
    expect(stderr).toBe(
      `ftpull: ${server.url("/x")}: cannot connect to 127.0.0.1 port ${server.port}: ` +
        "the proxy did not answer within 3 s\n",
    );
    expect([status, server.connections.length]).toEqual([4, 0]);
  });

  it("that doesn't listen nothing arrives, and the server isn't reached otherwise", async () => {
    const server = await startServer({ files });
    const proxy = await ScriptedProxy.start({ protocol });
    proxy.close();
    const env = { ftp_proxy: proxy.url() };
    const { status, stderr } = await ftpull([server.url("/x")], { env });
    expect(stderr).toBe(
      `ftpull: ${server.url("/x")}: cannot reach the proxy of ftp_proxy: cannot connect to 127.0.0.1 port ` +
        `${proxy.port}: connection refused\n` +
        "hint: --no-proxy connects directly\n",
    );
    expect([status, server.connections.length]).toEqual([4, 0]);
  });
});

it.each([
  ["ftp://[::1]:2121/x", "::1:2121"],
  ["ftp://192.0.2.1/x", "<c0000201>:21"],
  ["ftp://ftp.example.com/x", "ftp.example.com:21"],
])("SOCKS5 gets an IPv4 address as octets, and all else as it is: %s", async (url, target) => {
  const on = { 1: { reply: Buffer.from([5, 2]), next: "end" } } as const;
  const proxy = await ScriptedProxy.start({ protocol: "socks5", on });
  await ftpull(["--proxy", proxy.url().replace("socks5", "SOCKS5h"), url]);
  expect(proxy.targets).toEqual([target]);
});

it("HTTP gets an IPv6 address in brackets", async () => {
  const on = { 1: { reply: "HTTP/1.1 403 No\r\n\r\n", next: "end" } } as const;
  const proxy = await ScriptedProxy.start({ on });
  await ftpull(["--proxy", proxy.url(), "ftp://[2001:db8::1]:2121/x"]);
  expect(proxy.targets).toEqual(["[2001:db8::1]:2121"]);
});

/** How TLS begins, and that nothing goes on where it doesn't. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ftpull } from "../conformance/support/client.ts";
import { ahead, anonymous, expectCommands, retrieval } from "../conformance/support/dialogue.ts";
import { close, stall } from "../support/actions.ts";
import type { Action, Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { fetchSecured, securedLogin, startSecured, trusting } from "./support/secured.ts";

const requested = ["AUTH TLS", ...securedLogin, ...retrieval("x"), "QUIT"];
const requestedTimeout = ["-T", "4"];

/** Waits until the program has begun the handshake, so that it reads what comes then apart. */
const begun: Step = async ({ session: { control } }) => {
  while (!control.tcp.destroyed && control.tcp.bytesRead <= "AUTH TLS\r\n".length) await delay(5);
};

describe("explicit TLS", () => {
  it.each([["ftpes"], ["ftp", "--tls"]])(
    "%s: %s asks before it says anything else",
    async (scheme, ...words) => {
      const server = await startSecured();
      const result = await ftpull([
        ...(await trusting()),
        ...words,
        "-O",
        "-",
        server.url("/x", { scheme }),
      ]);
      expect(result).toMatchObject({ status: 0, stdout: "text" });
      expectCommands(server, ...requested);
    },
  );

  it.each<[claim: string, reply: Action, words: string, status: number]>([
    ["unknown", "500 what?", 'the server does not offer TLS: server replied 500 "what?"', 5],
  ])("AUTH %s ends with QUIT, and no name or password", async (_claim, reply, words, status) => {
    const { server, ...result } = await fetchSecured({ on: { AUTH: reply } });
    expect(result.stderr).toContain(words);
    expectCommands(server, "AUTH TLS", "QUIT");
    expect(result.status).toBe(status);
  });

  it.each<[claim: string, reply: Action, words: string, status: number]>([
    ["421", "421 closing", 'server replied 421 "closing"', 8],
    ["a close", close, "the server closed the control connection", 4],
    ["silence", stall, "the server sent no reply for 4 s", 4],
    ["a close after 234", ["234 go", close], "the TLS handshake failed", 4],
    ["silence after 234", ["234 go", stall], "did not finish the TLS handshake within 4 s", 4],
    [
      "clear text after 234",
      ["234 go", begun, "220 hello"],
      "the server answers in clear text (wrong version number)\n",
      5,
    ],
  ])("AUTH answered by %s is the end", async (_claim, reply, words, status) => {
    const { server, ...result } = await fetchSecured({ on: { AUTH: reply } }, requestedTimeout);
    expect(result.stderr).toContain(words);
    expect(server.commands[0]).toBe("AUTH TLS");
    expect(server.commands.join()).not.toMatch(/HOST|USER|PASS/);
    expect(result.status).toBe(status);
  });

  it.each<[claim: string, octets: string]>([
    ["a reply", "234 go\r\n331 password?\r\n"],
    ["a line that is no reply", "234 go\r\nhello\r\n"],
    ["half a reply of several lines", "234 go\r\n331-password?\r\n"],
  ])("%s behind that to AUTH is thrown away with the connection", async (_claim, octets) => {
    const on = { AUTH: Buffer.from(octets) };
    const { server, url, ...result } = await fetchSecured({ on }, ["--progress", "none"]);
    expect(result.stderr).toBe(
      `ftpull: ${url}: the server sent more in clear text after its answer to AUTH TLS\n`,
    );
    expectCommands(server, "AUTH TLS");
    expect(result.status).toBe(5);
  });
});

describe("PROT P", () => {
  it.each(["534 no", "536 no", "504 no", "431 no"])(
    "refused with %s ends the run",
    async (reply) => {
      const { server, ...result } = await fetchSecured({ on: { PROT: reply } });
      expect(result.stderr).toContain(
        "the server does not encrypt data connections: server replied",
      );
      const rest = ahead("FEAT", "OPTS UTF8 ON", "TYPE I", "SIZE x", "MDTM x");
      expectCommands(server, "AUTH TLS", ...anonymous, "PBSZ 0", "PROT P", ...rest, "QUIT");
      expect(result.status).toBe(5);
    },
  );

  it("alone decides where PBSZ is unknown", async () => {
    const { server, ...result } = await fetchSecured({ on: { PBSZ: "500 what?" } });
    expectCommands(server, ...requested);
    expect(result.status).toBe(0);
  });
});

describe("implicit TLS", () => {
  it("ftps: speaks TLS from the first octet, and asks for nothing", async () => {
    const server = await startSecured({ implicit: true });
    const result = await ftpull([...(await trusting()), "-O", "-", server.url("/x")]);
    expect(result).toMatchObject({ status: 0, stdout: "text" });
    expectCommands(server, ...securedLogin, ...retrieval("x"), "QUIT");
  });

  it("a server that speaks clear text is none, and the hint names the other scheme", async () => {
    const server = await startServer();
    const url = server.url("/x", { scheme: "ftps" });
    const result = await ftpull([...(await trusting()), "--progress", "none", url]);
    expect(result.stderr).toBe(
      `ftpull: ${url}: the TLS handshake failed: the server answers in clear text (wrong version number)\n` +
        "hint: ftps: is implicit TLS; for a server that expects AUTH TLS write ftpes:\n",
    );
    expect(server.commands.filter((command) => /HOST|USER|PASS/.test(command))).toEqual([]);
    expect(result.status).toBe(5);
  });
});

it("another document that only REIN could reach takes a new connection: REIN would end TLS", async () => {
  const files = { "a/x": "1", "b/x": "2" };
  const server = await startSecured({}, { files, on: { PWD: "550 nowhere" } });
  const [first, second] = ["/a/x", "/b/x"].map((path) => server.url(path, { scheme: "ftpes" }));
  const result = await ftpull([...(await trusting()), "-O", "-", first ?? "", second ?? ""]);
  expect(result).toMatchObject({ status: 0, stdout: "12" });
  expect(server.commands).not.toContain("REIN");
  expect(server.connections).toHaveLength(2);
});

/** How the program connects: active mode, one version of IP, addresses with a zone. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ftpull } from "../conformance/support/client.ts";
import { anonymousLogin, expectCommands } from "../conformance/support/dialogue.ts";
import { startServer } from "../support/start-server.ts";

const files = { x: "text" };
const inquiries = ["TYPE I", "SIZE x", "MDTM x"];

describe("one version of IP", () => {
  it("-4 takes a name's address of that version", async () => {
    const server = await startServer({ files });
    const url = server.url("/x").replace("127.0.0.1", "localhost");
    expect(await ftpull(["-4", "-O", "-", url])).toMatchObject({ status: 0, stdout: "text" });
  });

  it.each([
    ["-4", "[::1]", "cannot connect to ::1 port 21: it is no IPv4 address"],
    ["--bind-address=127.0.0.2", "[::1]", "cannot connect to ::1 port 21: it is no IPv4 address"],
    ["-6", "127.0.0.1", "cannot connect to 127.0.0.1 port 21: it is no IPv6 address"],
    ["-6", "none.invalid", "port 21: no such host"],
  ])("%s says of %s what is missing", async (option, host, words) => {
    const { status, stderr } = await ftpull([option, `ftp://${host}/x`]);
    expect(stderr).toContain(words);
    expect(status).toBe(4);
  });
});

describe("--bind-address", () => {
  /** The addresses from which servers of this process are connected, by the servers' ports. */
  function watchedPeers(): (port: number) => (string | undefined)[] {
    const peers: (readonly [port: number | undefined, address: string | undefined])[] = [];
    const note = (message: unknown): void => {
      const { localPort, remoteAddress } = (message as { socket: Socket }).socket;
      peers.push([localPort, remoteAddress]);
    };
    subscribe("net.server.socket", note);
    onTestFinished(() => void unsubscribe("net.server.socket", note));
    return (port) => peers.filter(([at]) => at === port).map(([, address]) => address);
  }

  it("is where control and data come from", async () => {
    const server = await startServer({ files });
    const peers = watchedPeers();
    const dataPorts: number[] = [];
    server.on("EPSV", async ({ session }) => {
      const port = await session.data.listen();
      dataPorts.push(port);
      await session.reply(`229 Entering (|||${port}|)`);
    });
    const result = await ftpull(["--bind-address", "127.0.0.2", "-O", "-", server.url("/x")]);
    expect(result).toMatchObject({ status: 0, stdout: "text" });
    expect([server.port, ...dataPorts].flatMap(peers)).toEqual(["127.0.0.2", "127.0.0.2"]);
  });

  it("another machine's is an error that no further try can mend", async () => {
    const server = await startServer({ files });
    const words = ["--bind-address", "192.0.2.1", server.url("/x")];
    expect(await ftpull(words, { tries: 5 })).toMatchObject({
      status: 4,
      stderr:
        `ftpull: ${server.url("/x")}: cannot connect to 127.0.0.1 port ${server.port} from 192.0.2.1: ` +
        "address not available\n",
    });
  });
});

it("the zone of an IPv6 address is for connecting, and HOST leaves it out", async () => {
  const server = await startServer({ files, host: "::1" });
  const result = await ftpull(["-O", "-", server.url("/x").replace("[::1]", "[::1%25lo]")]);
  expect(result).toMatchObject({ status: 0, stdout: "text" });
  const [, ...login] = anonymousLogin;
  expectCommands(server, "HOST [::1]", ...login, ...inquiries, "EPSV", "RETR x", "QUIT");
});

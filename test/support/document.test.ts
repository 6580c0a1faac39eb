import net from "node:net";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { RawClient } from "./raw-client.ts";
import { startServer } from "./start-server.ts";

const files = { "pub/a.txt": "one\ntwo\n", "pub/sub/b": "", "pub/ü": "x" };

async function loggedIn(...commands: string[]): Promise<RawClient> {
  const server = await startServer({ files });
  const client = await RawClient.connect(server.port);
  await client.logIn();
  for (const command of commands) await client.ask(command);
  return client;
}

async function fetched(command: string, ...before: string[]): Promise<string> {
  const client = await loggedIn(...before);
  const data = await client.epsv();
  expect(await client.ask(command)).toMatch(/^150 /);
  return await data.toEnd();
}

const documents: [command: string, before: string[], octets: string][] = [
  ["RETR pub/a.txt", ["TYPE I"], "one\ntwo\n"],
  ["RETR /pub/a.txt", ["TYPE A"], "one\r\ntwo\r\n"],
  ["RETR a.txt", ["TYPE I", "CWD pub", "REST 4"], "two\n"],
  ["NLST", ["CWD pub"], "a.txt\r\nsub\r\n\xc3\xbc\r\n"],
  ["NLST pub", [], "pub/a.txt\r\npub/sub\r\npub/\xc3\xbc\r\n"],
  ["NLST -a", ["CWD pub/sub"], "b\r\n"],
  ["NLST missing", [], ""],
  ["LIST", [], "drwxr-xr-x    1 ftp      ftp          4096 Jan 02  2020 pub\r\n"],
  ["LIST pub/a.txt", [], "-rw-r--r--    1 ftp      ftp             8 Jan 02  2020 pub/a.txt\r\n"],
  [
    "MLSD pub/sub",
    [],
    "type=cdir;modify=20200102030405;perm=el; .\r\n" +
      "type=pdir;modify=20200102030405;perm=el; ..\r\n" +
      "type=file;size=0;perm=r;modify=20200102030405; b\r\n",
  ],
];

describe("a document", () => {
  it.each(documents)("of %s after %j", async (command, before, octets) => {
    expect(await fetched(command, ...before)).toBe(octets);
  });

  it.each([
    ["RETR missing", "550 "],
    ["RETR pub", "550 "],
    ["MLSD missing", "550 "],
    ["MLSD pub/a.txt", "501 "],
  ])("of %s is refused", async (command, reply) => {
    const client = await loggedIn();
    expect((await client.ask(command)).slice(0, 4)).toBe(reply);
  });

  it("beyond the end is refused, and the next one begins at its start", async () => {
    const client = await loggedIn("TYPE I", "REST 9");
    expect(await client.ask("RETR pub/a.txt")).toMatch(/^554 /);
    const data = await client.epsv();
    await client.ask("RETR pub/a.txt");
    expect(await data.toEnd()).toBe("one\ntwo\n");
  });

  it.each([
    ["EPRT", (port: number) => `|1|127.0.0.1|${port}|`],
    ["PORT", (port: number) => `127,0,0,1,${port >> 8},${port & 0xff}`],
  ])("may be sent to where %s says", async (verb, address) => {
    const client = await loggedIn("TYPE I");
    const listener = net.createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as net.AddressInfo;
    expect(await client.ask(`${verb} ${address(port)}`)).toMatch(/^200 /);
    client.socket.write("RETR pub/a.txt\r\n");
    const [socket] = (await once(listener, "connection")) as [net.Socket];
    listener.close();
    expect(await new RawClient(socket).toEnd()).toBe("one\ntwo\n");
  });
});

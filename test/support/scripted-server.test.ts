/** A few dialogues show that the test server is a server, and does what a script asks for. */
import { expect, it } from "vitest";
import { close, proceed, transfer } from "./actions.ts";
import { generatedOctets } from "./generated.ts";
import { RawClient } from "./raw-client.ts";
import { startServer } from "./start-server.ts";
import { fileEntry } from "./tree.ts";

it("a server without a script lets anonymous in and sends a file", async () => {
  const server = await startServer({ files: { "pub/ü": "text" } });
  const client = await RawClient.connect(server.port);
  const dialogue: [command: string, reply: string][] = [
    ["PWD", "530 "],
    ["USER anonymous", "331 "],
    ["PASS x@example.com", "230 "],
    ["CWD pub", "250 "],
    ["SIZE \xc3\xbc", "550 "],
    ["TYPE I", "200 "],
    ["SIZE \xc3\xbc", "213 4"],
    ["XYZZY  \xe7 ", "500 "],
  ];
  expect(await client.line()).toBe("220 Service ready");
  for (const [command, reply] of dialogue)
    expect((await client.ask(command)).slice(0, reply.length), command).toBe(reply);
  const data = await client.epsv();
  expect(await client.ask("RETR \xc3\xbc")).toMatch(/^150 /);
  expect(await data.toEnd()).toBe("text");
  expect(await client.line()).toMatch(/^226 /);
  const sent = [...dialogue.map(([command]) => command), "EPSV", "RETR \xc3\xbc"];
  expect(server.commands).toEqual(sent);
  expect(server.dataConnections).toBe(1);
  expect(server.roundTrips).toBe(sent.length);
});

it("a script answers one occurrence of a command, or one argument, and adds to a good server", async () => {
  const on = { greeting: ["120 wait", proceed], "CWD#2": "550 not now", NOOP: ["421 bye", close] };
  const server = await startServer({ directories: ["pub"], on });
  server.on("CWD #bar", "250 as you like");
  const client = await RawClient.connect(server.port);
  expect(await client.line()).toBe("120 wait");
  await client.logIn();
  expect(await client.ask("CWD pub")).toMatch(/^250 Directory changed/);
  expect(await client.ask("CWD /pub")).toBe("550 not now");
  expect(await client.ask("CWD /pub")).toMatch(/^250 Directory changed/);
  expect(await client.ask("CWD #bar")).toBe("250 as you like");
  expect(await client.ask("NOOP")).toBe("421 bye");
  expect(await client.toEnd()).toMatch(/421 bye\r\n$/);
});

it("a transfer is cut where the script says, and goes on at an offset", async () => {
  const server = await startServer({ files: { a: "0123456789" } });
  server.on("RETR#1", transfer({ first: 4, end: "reset", completion: "426 cut" }));
  const client = await RawClient.connect(server.port);
  await client.logIn();
  await client.ask("TYPE I");
  const cut = await client.epsv();
  expect(await client.ask("RETR a")).toMatch(/^150 /);
  expect(await cut.toEnd()).toBe("0123");
  expect(cut.error?.code).toBe("ECONNRESET");
  expect(await client.line()).toBe("426 cut");
  await client.ask("REST 4");
  const rest = await client.epsv();
  expect(await client.ask("RETR a")).toMatch(/^150 /);
  expect(await rest.toEnd()).toBe("456789");
});

it("commands in one packet are answered one after the other, or make an old server hang up", async () => {
  const packet = "USER anonymous\r\nPASS x\r\nPWD\r\n";
  const server = await startServer({ chunk: 1 });
  const client = await RawClient.connect(server.port);
  await client.line();
  client.socket.write(packet);
  const replies = [await client.line(), await client.line(), await client.line()];
  expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["331", "230", "257"]);
  expect(server.roundTrips).toBe(1);
  const old = await startServer({ dropPipelined: "reset" });
  const dropped = await RawClient.connect(old.port);
  await dropped.line();
  dropped.socket.write(packet);
  expect(await dropped.toEnd()).toBe("220 Service ready\r\n");
  expect(dropped.error?.code).toBe("ECONNRESET");
});

it("a mistake in a script fails the test that closes the server", async () => {
  const greeting = async (): Promise<void> => {
    throw new Error("mistaken");
  };
  const server = await startServer({ on: { greeting } });
  await RawClient.connect(server.port);
  await expect.poll(() => server.connections.length).toBe(1);
  await expect(server.close()).rejects.toThrow("mistaken");
});

it("generated octets are the same wherever one begins to read them", () => {
  const size = 200_000;
  const whole = generatedOctets(7, 0, size);
  expect(generatedOctets(7, 131_000, 140_000).equals(whole.subarray(131_000, 140_000))).toBe(true);
  const rest = Buffer.concat([...fileEntry({ size, seed: 7 }).read(65_520)]);
  expect(rest.equals(whole.subarray(65_520))).toBe(true);
  expect(generatedOctets(8, 0, 100).equals(whole.subarray(0, 100))).toBe(false);
});

import { describe, expect, it } from "vitest";
import {
  close,
  Gate,
  passive,
  proceed,
  refuseData,
  reply227,
  reset,
  stall,
  until,
} from "./actions.ts";
import type { ServerOptions } from "./options.ts";
import { RawClient } from "./raw-client.ts";
import { Script } from "./script.ts";
import { startServer } from "./start-server.ts";

async function loggedIn(options: ServerOptions): Promise<RawClient> {
  const server = await startServer(options);
  const client = await RawClient.connect(server.port);
  await client.logIn();
  return client;
}

describe("a pattern", () => {
  const cases: [pattern: string, fits: string, fitsNot: string][] = [
    ["PASS", "PASS x", "USER x"],
    ["CWD pub", "CWD pub", "CWD pub "],
    ["CWD ", "CWD ", "CWD x"],
    ["CWD  x", "CWD  x", "CWD x"],
    ["CWD #2", "CWD #2", "CWD 2"],
  ];
  it.each(cases)("%j fits %j, not %j", (pattern, fits, fitsNot) => {
    const script = new Script();
    script.on(pattern, "200 yes");
    expect(script.actionFor(...commandOf(fits))).toBe("200 yes");
    expect(script.actionFor(...commandOf(fitsNot))).toBeUndefined();
  });

  it("with an occurrence fits that one only, counted by argument where it has one", () => {
    const script = new Script();
    script.on("RETR#2 x", "200 yes");
    const actions = ["x", "y", "x", "x"].map((argument) => script.actionFor("RETR", argument));
    expect(actions).toEqual([undefined, undefined, "200 yes", undefined]);
  });

  it("gives way to a later one that fits too", () => {
    const script = new Script();
    script.on("RETR", "200 all");
    script.on("RETR#1", "200 first");
    expect(script.actionFor("RETR", "x")).toBe("200 first");
    expect(script.actionFor("RETR", "x")).toBe("200 all");
  });

  it("that is no pattern is refused", () => {
    expect(() => new Script().on("RETR#two", "200")).toThrow('"RETR#two"');
  });
});

function commandOf(line: string): [string, string] {
  const [verb = "", ...rest] = line.split(" ");
  return [verb, rest.join(" ")];
}

describe("an action", () => {
  it("may be octets as they are", async () => {
    const client = await loggedIn({ on: { NOOP: [Buffer.from("20"), Buffer.from([0x30, 0xff])] } });
    client.socket.write("NOOP\r\n");
    await client.endsWith("200\xff");
  });

  it("may close the connection after a reply", async () => {
    const client = await loggedIn({ on: { NOOP: ["421 bye", close] } });
    expect(await client.ask("NOOP")).toBe("421 bye");
    await client.toEnd();
    expect(client.error).toBeUndefined();
  });

  it("may reset the connection after a reply", async () => {
    const client = await loggedIn({ on: { NOOP: ["421 bye", reset] } });
    expect(await client.ask("NOOP")).toBe("421 bye");
    await client.toEnd();
    expect(client.error?.code).toBe("ECONNRESET");
  });

  it("may leave the client without any answer", async () => {
    const client = await loggedIn({ on: { NOOP: stall } });
    client.socket.write("NOOP\r\nPWD\r\n");
    expect(await client.inAMoment()).toBe("");
  });

  it("may wait for the test", async () => {
    const gate = new Gate();
    const client = await loggedIn({ on: { NOOP: [until(gate.opened), proceed] } });
    const answered = client.ask("NOOP");
    expect(await client.inAMoment()).toBe("");
    gate.open();
    expect(await answered).toMatch(/^200 /);
  });

  it("may name another host in the reply to PASV", async () => {
    const client = await loggedIn({ on: { PASV: passive((port) => reply227(port, "10.0.0.1")) } });
    expect(await client.ask("PASV")).toMatch(/^227 .*\(10,0,0,1,\d+,\d+\)$/);
  });

  it("may refuse the data connection", async () => {
    const client = await loggedIn({ on: { EPSV: refuseData } });
    await expect(client.epsv()).rejects.toThrow("ECONNREFUSED");
  });
});

it("a mistake in a script fails the test that closes the server", async () => {
  const server = await startServer({
    on: {
      greeting: () => {
        throw new Error("mistaken");
      },
    },
  });
  await (await RawClient.connect(server.port)).inAMoment();
  await expect(server.close()).rejects.toThrow("mistaken");
});

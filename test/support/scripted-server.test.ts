import { describe, expect, it } from "vitest";
import { proceed, transfer } from "./actions.ts";
import { RawClient } from "./raw-client.ts";
import { startServer } from "./start-server.ts";

describe("a server without a script", () => {
  it("lets anonymous in and retrieves a file", async () => {
    const server = await startServer({ files: { "pub/a.txt": "text" } });
    const client = await RawClient.connect(server.port);
    expect(await client.line()).toBe("220 Service ready");
    expect(await client.ask("USER anonymous")).toMatch(/^331 /);
    expect(await client.ask("PASS x@example.com")).toMatch(/^230 /);
    expect(await client.ask("CWD pub")).toMatch(/^250 /);
    expect(await client.ask("TYPE I")).toMatch(/^200 /);
    const data = await client.epsv();
    expect(await client.ask("RETR a.txt")).toMatch(/^150 /);
    expect(await data.toEnd()).toBe("text");
    expect(await client.line()).toMatch(/^226 /);
    expect(await client.ask("QUIT")).toMatch(/^221 /);
    expect(server.commands).toEqual([
      "USER anonymous",
      "PASS x@example.com",
      "CWD pub",
      "TYPE I",
      "EPSV",
      "RETR a.txt",
      "QUIT",
    ]);
    expect(server.dataConnections).toBe(1);
    expect(server.roundTrips).toBe(6);
  });

  it("keeps every octet of an argument, blanks in front among them", async () => {
    const server = await startServer();
    const client = await RawClient.connect(server.port);
    await client.logIn();
    await client.ask("CWD  \xe7 ");
    expect(server.commands.at(-1)).toBe("CWD  \xe7 ");
  });
});

describe("a script", () => {
  it("answers one occurrence of a command, or one argument", async () => {
    const server = await startServer({ directories: ["pub"], on: { "CWD#2": "550 not now" } });
    server.on("CWD #bar", "250 as you like");
    const client = await RawClient.connect(server.port);
    await client.logIn();
    expect(await client.ask("CWD pub")).toMatch(/^250 Directory changed/);
    expect(await client.ask("CWD /pub")).toBe("550 not now");
    expect(await client.ask("CWD /pub")).toMatch(/^250 Directory changed/);
    expect(await client.ask("CWD #bar")).toBe("250 as you like");
  });

  it("adds to what a good server does", async () => {
    const server = await startServer({ on: { greeting: ["120 wait", proceed] } });
    const client = await RawClient.connect(server.port);
    expect(await client.line()).toBe("120 wait");
    expect(await client.line()).toBe("220 Service ready");
  });

  it("cuts a transfer short", async () => {
    const server = await startServer({ files: { a: { size: 1000, seed: 1 } } });
    server.on("RETR#1", transfer({ first: 100, end: "reset", completion: "426 cut" }));
    const client = await RawClient.connect(server.port);
    await client.logIn();
    await client.ask("TYPE I");
    const data = await client.epsv();
    expect(await client.ask("RETR a")).toMatch(/^150 /);
    expect(await data.toEnd()).toHaveLength(100);
    expect(data.error?.code).toBe("ECONNRESET");
    expect(await client.line()).toBe("426 cut");
  });
});

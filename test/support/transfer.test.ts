import { expect, it } from "vitest";
import { Gate, transfer } from "./actions.ts";
import { RawClient } from "./raw-client.ts";
import { startServer } from "./start-server.ts";
import type { TransferScript } from "./transfer.ts";

const files = { a: "0123456789" };

async function retrieve(script: TransferScript): Promise<{ client: RawClient; data: RawClient }> {
  const server = await startServer({ files, on: { RETR: transfer(script) } });
  const client = await RawClient.connect(server.port);
  await client.logIn();
  await client.ask("TYPE I");
  const data = await client.epsv();
  expect(await client.ask("RETR a")).toMatch(/^150 /);
  return { client, data };
}

it("a transfer may end early and in order", async () => {
  const { client, data } = await retrieve({ first: 4 });
  expect(await data.toEnd()).toBe("0123");
  expect(data.error).toBeUndefined();
  expect(await client.line()).toMatch(/^226 /);
});

it("a transfer may end by reset", async () => {
  const { client, data } = await retrieve({ first: 4, end: "reset", completion: "426 cut" });
  expect(await data.toEnd()).toBe("0123");
  expect(data.error?.code).toBe("ECONNRESET");
  expect(await client.line()).toBe("426 cut");
});

it("a transfer may stand still until the client gives up", async () => {
  const { client, data } = await retrieve({ first: 4, end: "stall" });
  await data.endsWith("0123");
  data.socket.end();
  expect(await client.line()).toMatch(/^426 /);
});

it("a transfer may have no completion", async () => {
  const { client, data } = await retrieve({ completion: [] });
  await data.toEnd();
  expect(await client.ask("NOOP")).toBe("200 Still here");
});

it("a transfer may be completed before its data", async () => {
  const gate = new Gate();
  const { client, data } = await retrieve({ early: true, pause: { after: 0, until: gate.opened } });
  expect(await client.line()).toMatch(/^226 /);
  expect(data.text).toBe("");
  gate.open();
  expect(await data.toEnd()).toBe("0123456789");
});

it("a transfer may pause", async () => {
  const gate = new Gate();
  const { data } = await retrieve({ pause: { after: 3, until: gate.opened } });
  await data.endsWith("012");
  expect(await data.inAMoment()).toBe("");
  gate.open();
  expect(await data.toEnd()).toBe("0123456789");
});

it("a transfer may send other octets, part by part, and more than it should", async () => {
  const { data } = await retrieve({ content: ["a\r", "\nb"], extra: "c" });
  expect(await data.toEnd()).toBe("a\r\nbc");
  expect(String(data.reads[0])).toBe("a\r");
});

it("a transfer may be slow", async () => {
  const { data } = await retrieve({ rate: 100 });
  await data.toEnd();
  expect(data.reads.map(String)).toEqual(["01234", "56789"]);
});

it("a transfer is ended by ABOR", async () => {
  const { client, data } = await retrieve({ first: 4, end: "stall" });
  expect(await client.ask("ABOR")).toMatch(/^426 /);
  expect(await client.line()).toMatch(/^226 /);
  await data.toEnd();
});

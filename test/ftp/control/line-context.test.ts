/** When a reply that lacks its last line has ended, and what closes a connection. */
import { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { toFtpullError } from "../../../src/errors.ts";
import { LineContext } from "../../../src/ftp/control/line-context.ts";

function start(timeoutMs: number) {
  const seen: string[] = [];
  const context = new LineContext(timeoutMs, {
    received: (text) => seen.push(text),
    closed: (error) => seen.push(`failed: ${toFtpullError(error).message}`),
  });
  context.socket = new Socket();
  return { context, seen };
}

async function read(timeoutMs: number, events: readonly (string | number)[]): Promise<string[]> {
  vi.useFakeTimers();
  const { context, seen } = start(timeoutMs);
  for (const event of events) {
    if (typeof event === "number") await vi.advanceTimersByTimeAsync(event);
    else context.socket.emit("data", event.replaceAll("|", "\r\n"));
  }
  const result = [...seen];
  context.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  return result;
}

test.each<[claim: string, events: (string | number)[], expected: string[]]>([
  ["two seconds", ["230-a|220 b|", 2001], ["230-a\n220 b"]],
  ["no less", ["230-a|220 b|", 1999, "230 c|"], ["230-a\n220 b\n230 c"]],
  ["no silence in a line", ["230-a|220 b|23", 9000, "0 c|"], ["230-a\n220 b\n230 c"]],
  ["no silence behind text", ["230-a|b|", 9000, "230 c|"], ["230-a\nb\n230 c"]],
  ["no silence in FEAT's", ["211 F|", 501, "UTF8|211 END|"], ["211 F\nUTF8\n211 END"]],
])("a silence that ends a reply of several lines: %s", async (_claim, events, expected) => {
  expect(await read(0, events)).toEqual(expected);
});

test("a reply whose end is awaited is known before its time is over", async () => {
  expect(await read(1000, ["211 none|", 499])).toEqual([]);
  expect(await read(1000, ["211 none|", 501])).toEqual(["211 none"]);
});

test("replies before the line of another protocol are passed on; then the connection is closed", async () => {
  const failure = 'failed: the server does not speak FTP: it sent "SSH-2"';
  expect(await read(0, ["220-a|220 b|SSH-2|220 c|"])).toEqual(["220-a\n220 b", failure]);
});

test("a line of a reply that comes while the process sleeps comes in time", () => {
  vi.useFakeTimers();
  const { context, seen } = start(0);
  context.socket.emit("data", "230-a\r\n220 b\r\n");
  // The timer fires first, and then the sockets are read, as by Node's event loop.
  vi.advanceTimersToNextTimer();
  context.socket.emit("data", "230 c\r\n");
  vi.runAllTimers();
  expect(seen).toEqual(["230-a\n220 b\n230 c"]);
  context.close();
  vi.useRealTimers();
});

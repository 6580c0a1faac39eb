import { Socket } from "node:net";
import { expect, test } from "vitest";
import { LineContext } from "../../../src/ftp/control/line-context.ts";

test("replies before the line of another protocol are passed on; then the connection is closed", () => {
  const seen: string[] = [];
  const context = new LineContext({
    received: (text) => seen.push(text),
    closed: ({ message }) => seen.push(`failed: ${message}`),
  });
  context.socket = new Socket();
  context.socket.emit("data", "220-a\r\n220 b\r\nSSH-2\r\n220 c\r\n");
  const failure = 'failed: the server does not speak FTP: it sent "SSH-2"';
  expect(seen).toEqual(["220-a\n220 b", failure]);
  context.close();
});

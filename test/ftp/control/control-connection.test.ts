/** The socket of a control connection, which firewalls and slow servers meet. */
import net from "node:net";
import { expect, test, vi } from "vitest";
import { ControlConnection } from "../../../src/ftp/control/control-connection.ts";
import type { SessionOptions } from "../../../src/ftp/session-options.ts";

test("firewalls see octets of a connection that is silent during a transfer", () => {
  const socket = new net.Socket();
  const keepAlive = vi.spyOn(socket, "setKeepAlive");
  const observer = { command: () => {}, reply: () => {} };
  const options = { timeoutMs: 0, number: 1, observer } as unknown as SessionOptions;
  expect(new ControlConnection(socket, options).socket).toBe(socket);
  expect(keepAlive).toHaveBeenCalledWith(true, 30_000);
  socket.destroy();
});

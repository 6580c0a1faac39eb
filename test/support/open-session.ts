/** A session without the program around it, for tests of single commands. */
import { onTestFinished } from "vitest";
import { ServerCapabilities } from "../../src/ftp/capabilities.ts";
import type { Credentials } from "../../src/ftp/credentials.ts";
import type { SessionOptions } from "../../src/ftp/session-options.ts";
import { Session } from "../../src/ftp/session.ts";

const anonymous: Credentials = {
  user: "anonymous",
  knownPassword: "me@",
  password: () => Promise.reject(new Error("no password is asked for")),
  retry: () => Promise.reject(new Error("no other user is asked for")),
  account: () => Promise.reject(new Error("no account is asked for")),
};

export async function openSession(
  port: number,
  options: Partial<SessionOptions> = {},
): Promise<Session> {
  const session = await Session.open(anonymous, {
    server: { host: "127.0.0.1", port },
    number: 1,
    timeoutMs: 30_000,
    sendHost: false,
    site: [],
    family: undefined,
    localAddress: undefined,
    proxy: undefined,
    tls: undefined,
    active: false,
    capabilities: new ServerCapabilities(true),
    dialogue: undefined,
    allowPorts: [],
    observer: { warning() {}, info() {}, detail() {} },
    rateLimit: undefined,
    signal: new AbortController().signal,
    ...options,
  });
  onTestFinished(() => session.quit());
  return session;
}

/** The parts of a session, which its login and its transfers share. */
import { TlsLayer } from "../net/tls.ts";
import { ControlConnection } from "./control/control-connection.ts";
import type { Credentials } from "./credentials.ts";
import { Runner } from "./runner.ts";
import type { SessionOptions } from "./session-options.ts";
import { initialState } from "./state.ts";
import { openControl } from "./tunnel.ts";

export interface SessionParts {
  readonly control: ControlConnection;
  readonly runner: Runner;
  readonly tls: TlsLayer | undefined;
  readonly options: SessionOptions;
}

/** Connects, and begins implicit TLS; the greeting isn't awaited. */
export async function openParts(
  credentials: Credentials,
  options: SessionOptions,
): Promise<SessionParts> {
  const { server, sendHost, site, capabilities } = options;
  const tls = options.tls && new TlsLayer(server.host, options.tls);
  const clear = await openControl(options);
  const socket = tls && options.tls?.implicit ? await tls.secure(clear, options) : clear;
  const control = new ControlConnection(socket, options);
  const { user, knownPassword: password } = credentials;
  const host = sendHost ? server.host : undefined;
  const state = initialState({ host, secured: tls !== undefined, user, password, site });
  const runner = new Runner(state, control, credentials, capabilities);
  return { control, runner, tls, options };
}

/** The options of a session. */
import type { Address, ConnectOptions } from "../net/connect.ts";
import type { ProxyServer } from "../net/proxy-server.ts";
import type { RateLimit } from "../net/rate-limit.ts";
import type { TlsLayer, TlsOptions } from "../net/tls.ts";
import type { Reply } from "./control/reply.ts";
import type { ServerCapabilities } from "./capabilities.ts";
import type { Command } from "./state.ts";

/** Shows commands and replies; secrets in replies have to be concealed by the observer. */
interface DialogueObserver {
  command(line: string, session: number): void;
  reply(text: string, session: number): void;
}

interface SessionObserver {
  warning(text: string): void;
  info(text: string): void;
  detail(text: string): void;
}

/**
 * Options of a session. `timeoutMs` also limits waits for a reply or an octet; `signal` ends pending calls; `site`
 * has the arguments of SITE commands, as octets.
 */
export interface SessionOptions extends Omit<ConnectOptions, "halfOpen"> {
  readonly server: Address;
  readonly sendHost: boolean;
  readonly site: readonly string[];
  readonly proxy: ProxyServer | undefined;
  readonly tls: TlsOptions | undefined;
  readonly active: boolean;
  /** Ports of other protocols that a server may name for data, too. */
  readonly allowPorts: readonly number[];
  readonly capabilities: ServerCapabilities;
  readonly observer: SessionObserver;
  /** Undefined where the dialogue isn't shown. */
  readonly dialogue: DialogueObserver | undefined;
  readonly number: number;
  readonly rateLimit: RateLimit | undefined;
}

export type TransferOptions = Omit<SessionOptions, "tls"> & {
  readonly tls: TlsLayer | undefined;
  /** Where data connections lead. */
  readonly host: string;
  readonly request: (command: Command) => Promise<Reply>;
  /** Reused for every read of a passive connection; a large one saves system calls. */
  readonly buffer: Buffer;
};

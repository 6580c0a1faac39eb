import type { Address } from "./connect.ts";

export interface ProxyServer extends Address {
  readonly protocol: "http" | "socks5";
  /** User and password as octets. */
  readonly login: ProxyLogin | undefined;
  /** Text for hints: `--proxy`, or a variable of the environment. */
  readonly source: string;
}

export interface ProxyLogin {
  readonly user: string;
  readonly password: string;
}

/** Request to a proxy for a connection to `target`. */
export interface TunnelRequest {
  readonly target: Address;
  readonly login: ProxyLogin | undefined;
  /** The hint for a proxy whose rules forbid the connection. */
  readonly permissionHint: string;
}

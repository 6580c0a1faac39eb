import type { Address } from "./connect.ts";

export interface ProxyServer extends Address {
  readonly protocol: "http" | "socks5";
  /** User and password as octets. `source` is for hints: `--proxy`, or a variable of the environment. */
  readonly login: ProxyLogin | undefined;
  readonly source: string;
}

export interface ProxyLogin {
  readonly user: string;
  readonly password: string;
}

export interface TunnelRequest {
  readonly target: Address;
  readonly login: ProxyLogin | undefined;
  readonly permissionHint: string;
}

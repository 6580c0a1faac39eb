/** A proxy, and a request for a connection through the proxy: plain data. Users and passwords are octets. */
import type { Address } from "./connect.ts";

export interface ProxyServer extends Address {
  readonly protocol: "http" | "socks5";
  readonly login: ProxyLogin | undefined;
  /** The origin of the setting, for messages: `--proxy`, or a variable of the environment. */
  readonly source: string;
}

export interface ProxyLogin {
  readonly user: string;
  readonly password: string;
}

export interface TunnelRequest {
  readonly target: Address;
  readonly login: ProxyLogin | undefined;
}

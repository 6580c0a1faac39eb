/**
 * The hosts that no_proxy excepts: a list, separated by commas or spaces, of names, addresses and blocks of them, each
 * perhaps with a port. An unreadable element excepts none.
 */
import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { Address } from "./connect.ts";

type Exception = (address: Address) => boolean;

export function proxyExceptions(list: string): Exception {
  const exceptions = list.split(/[\s,]+/).map(exceptionOf);
  return ({ host, port }) => {
    const plain = { host: host.toLowerCase().replace(/%.*$|\.$/, ""), port };
    return exceptions.some((covers) => covers(plain));
  };
}

function exceptionOf(element: string): Exception {
  const [, bracketed, rest, name, digits] =
    /^(?:\[([^\]]*)\](\/\d+)?|([^:]*))(?::(\d+))?$/.exec(element) ?? [];
  const host = bracketed === undefined ? (name ?? element) : bracketed + (rest ?? "");
  const covers = hostException(host);
  return digits === undefined
    ? covers
    : (address) => address.port === Number(digits) && covers(address);
}

function hostException(text: string): Exception {
  if (text === "*") return () => true;
  const [address = "", prefix] = text.split("/", 2);
  const version = isIP(address);
  if (version !== 0) return blockException(address, version, prefix);
  const plain = text.toLowerCase().replace(/^\*?\.|\.$/g, "");
  const name = /\P{ASCII}/u.test(plain) ? domainToASCII(plain) : plain;
  return ({ host }) => isIP(host) === 0 && name !== "" && `.${host}`.endsWith(`.${name}`);
}

function blockException(network: string, version: number, prefix?: string): Exception {
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d+$/.test(prefix) ? Number(prefix) : NaN;
  if (!(length <= bits)) return () => false;
  const block = new BlockList();
  block.addSubnet(network, length, version === 4 ? "ipv4" : "ipv6");
  return ({ host }) => isIP(host) !== 0 && block.check(host, isIP(host) === 4 ? "ipv4" : "ipv6");
}

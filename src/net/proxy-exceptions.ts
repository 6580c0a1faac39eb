/**
 * The hosts that no_proxy excepts: a list, separated by commas or spaces, of names, addresses and
 * blocks of addresses, each perhaps with a port. An unreadable element excepts no host.
 */
import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { Address } from "./connect.ts";

type IsExcepted = (address: Address) => boolean;

export function proxyExceptions(list: string): IsExcepted {
  const exceptions = list.split(/[\s,]+/).map(exceptionOf);
  return ({ host, port }) => {
    const plain = { host: host.toLowerCase().replace(/%.*$|\.$/, ""), port };
    return exceptions.some((covers) => covers(plain));
  };
}

function exceptionOf(element: string): IsExcepted {
  // An IPv6 address without brackets has no port.
  const { bracketed, prefix = "", name = element, port } = elementForm.exec(element)?.groups ?? {};
  const covers = hostException(bracketed === undefined ? name : bracketed + prefix);
  if (port === undefined) return covers;
  return (address) => address.port === Number(port) && covers(address);
}

const elementForm =
  /^(?:\[(?<bracketed>[^\]]*)\](?<prefix>\/\d+)?|(?<name>[^:]*))(?::(?<port>\d+))?$/;

function hostException(text: string): IsExcepted {
  if (text === "*") return () => true;
  const [address = "", prefix] = text.split("/", 2);
  const version = isIP(address);
  if (version !== 0) return blockException(address, version, prefix);
  const plain = text.toLowerCase().replace(/^\*?\.|\.$/g, "");
  const name = /\P{ASCII}/u.test(plain) ? domainToASCII(plain) : plain;
  return ({ host }) => isIP(host) === 0 && name !== "" && `.${host}`.endsWith(`.${name}`);
}

/** A block counts within its own family, `::ffff:0:0/96` for IPv4, too: to a BlockList, `::/0` has all of IPv4. */
function blockException(network: string, version: number, prefix?: string): IsExcepted {
  const mostBits = version === 4 ? 32 : 128;
  const isReadable = prefix === undefined || /^\d+$/.test(prefix);
  const bits = prefix === undefined ? mostBits : Number(prefix);
  if (!isReadable || bits > mostBits) return () => false;
  const mayHoldIPv4 = version === 4 || bits >= 96;
  const block = new BlockList();
  block.addSubnet(network, bits, familyOf(network));
  return ({ host }) => {
    const isOfFamily = isIP(host) === version || (isIP(host) === 4 && mayHoldIPv4);
    return isOfFamily && block.check(host, familyOf(host));
  };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

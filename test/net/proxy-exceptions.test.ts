/** no_proxy: which hosts are reached without the environment's proxy. */
import { expect, test } from "vitest";
import { proxyExceptions } from "../../src/net/proxy-exceptions.ts";

const port = 21;

test.each<[list: string, host: string, covered: boolean]>([
  ["", "ftp.example.com", false],
  [" , ,", "ftp.example.com", false],
  ["*", "ftp.example.com", true],
  // A name covers its subdomains.
  ["example.com", "example.com", true],
  ["example.com", "ftp.example.com", true],
  ["example.com", "badexample.com", false],
  ["example.com", "example.com.evil.example", false],
  [".example.com", "example.com", true],
  ["*.example.com", "ftp.example.com", true],
  ["Example.COM", "ftp.example.com", true],
  ["bücher.test", "xn--bcher-kva.test", true],
  ["example.com.", "ftp.example.com", true],
  ["example.com", "ftp.example.com.", true],
  ["localhost", "127.0.0.1", false],
  ["other.example,example.com", "ftp.example.com", true],
  ["other.example example.com", "ftp.example.com", true],
  [".", "ftp.example.com", false],
  ["f*.example.com", "ftp.example.com", false],
  // Ports.
  ["example.com:21", "ftp.example.com", true],
  ["example.com:2121", "ftp.example.com", false],
  ["[2001:db8::1]:21", "2001:db8::1", true],
  ["[2001:db8::1]:2121", "2001:db8::1", false],
  ["*:2121", "ftp.example.com", false],
  ["*:21", "ftp.example.com", true],
  ["example.com:ftp", "ftp.example.com", false],
  // Addresses, also where they are written otherwise.
  ["10.1.2.3", "10.1.2.3", true],
  ["10.1.2.3", "10.1.2.30", false],
  ["3", "10.1.2.3", false],
  ["[2001:db8::1]", "2001:db8::1", true],
  ["2001:DB8:0:0::1", "2001:db8::1", true],
  ["2001:db8::1", "2001:db8::11", false],
  ["fe80::1", "fe80::1%eth0", true],
  // CIDR blocks.
  ["10.0.0.0/8", "10.200.0.1", true],
  ["10.0.0.0/8", "11.0.0.1", false],
  ["10.1.2.3/24", "10.1.2.200", true],
  ["192.168.0.0/23", "192.168.2.0", false],
  ["0.0.0.0/0", "192.0.2.1", true],
  ["0.0.0.0/0", "2001:db8::1", false],
  ["10.0.0.0/33", "10.0.0.0", false],
  ["10.0.0.0/x", "10.0.0.0", false],
  ["2001:db8::/32", "2001:db8:1::1", true],
  ["2001:db8::/32", "2001:db9::1", false],
  ["[2001:db8::]/32", "2001:db8:1::1", true],
  ["::/0", "2001:db8::1", true],
  ["::/0", "192.0.2.1", false],
  ["::1/64", "192.0.2.1", false],
  ["::ffff:0:0/96", "192.0.2.1", true],
  ["::ffff:192.0.2.0/120", "192.0.2.1", true],
  ["::ffff:192.0.2.0/120", "192.0.3.1", false],
  ["::/96", "192.0.2.1", false],
  ["0.0.0.0/0", "::ffff:192.0.2.1", false],
  ["example.com/8", "ftp.example.com", false],
])("%j and %s: %j", (list, host, covered) => {
  expect(proxyExceptions(list)({ host, port })).toBe(covered);
});

test("a long list of nonsense takes no long time", () => {
  const list = `${":[".repeat(20_000)} ${"a.".repeat(50_000)},${"/".repeat(50_000)}`;
  expect(proxyExceptions(list)({ host: "ftp.example.com", port })).toBe(false);
});

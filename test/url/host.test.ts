import { describe, expect, test } from "vitest";
import { parseAuthority } from "../../src/url/authority.ts";
import { usageError } from "./usage-error.ts";

describe("U6 hosts", () => {
  test.each([
    ["a name", "ftp.example.com", "ftp.example.com"],
    ["capitals", "FTP.Example.COM", "ftp.example.com"],
    ["a final dot", "example.com.", "example.com."],
    ["IPv4", "192.0.2.7", "192.0.2.7"],
    ["IPv4 in full-width digits", "１.２.３.４", "1.2.3.4"],
    ["IPv4 in three numbers, as a URL parser reads them", "1.2.3", "1.2.0.3"],
    ["IPv6", "[2001:DB8::1]", "2001:db8::1"],
    ["IPv6 with a zone", "[fe80::1%25eth0]", "fe80::1%eth0"],
    ["IPv6 with a zone behind a raw %", "[fe80::1%eth0]", "fe80::1%eth0"],
    ["an IRI", "ĉat.example.com", "xn--at-0la.example.com"],
    ["percent-encoded UTF-8", "%C4%A5ost.example.com", "xn--ost-4sa.example.com"],
    ["sharp s", "faß.de", "xn--fa-hia.de"],
  ])("%s", (_what, text, host) => {
    expect(parseAuthority(text).host).toBe(host);
  });

  test.each([
    ["nothing", "", "the URL has no host"],
    ["an octet above 255", "256.0.0.1", "is not a host name"],
    ["a space", "a b", "is not a host name"],
    ["a slash in disguise", "a%2Fb", "is not a host name"],
    ["a tab", "a\tb", "is not a host name"],
    ["a bidi override", "a\u202eb", "is not a host name"],
    ["octets that are not UTF-8", "%E7.example", "is not a host name"],
    ["a CR", "a%0Db", '"%0D" cannot be sent'],
    ["a bad percent-encoding", "a%2", '"%2" is not a percent-encoding'],
    ["an IPv6 address with too few groups", "[1:2]", "is not an IPv6 address"],
    ["an empty zone", "[fe80::1%25]", "has no usable zone"],
    ["a zone with a space", "[fe80::1%25a%20b]", "has no usable zone"],
    ["a zone that could end a command", "[fe80::1%25a%0D]", "has no usable zone"],
  ])("refuses %s", (_what, text, message) => {
    expect(usageError(() => parseAuthority(text)).message).toContain(message);
  });
});

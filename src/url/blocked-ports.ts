/** Refuses ports of other protocols: a URL could, for example, send commands to a mail server (RFC 1738 §6). */
import { FtpullError } from "../errors.ts";

/** Refuses a blocked port unless it is `allowed` (X1). @throws FtpullError "usage" */
export function checkPort(port: number, allowed: readonly number[]): void {
  const protocol = blockedPortProtocol(port);
  if (protocol === undefined || allowed.includes(port)) return;
  const message = `port ${port} belongs to another protocol (${protocol})`;
  throw new FtpullError("usage", message, { hint: `permit it with --allow-port ${port}` });
}

export function blockedPortProtocol(port: number): string | undefined {
  return blockedPorts.find((word) => word.startsWith(`${port}:`))?.split(":")[1];
}

/** Ports of the Fetch standard (§2.9, "port blocking") without FTP's own 20, 21, 989 and 990. */
const blockedPorts = `
  0:reserved 1:tcpmux 7:echo 9:discard 11:systat 13:daytime 15:netstat 17:qotd 19:chargen 22:ssh
  23:telnet 25:smtp 37:time 42:name 43:whois 53:domain 69:tftp 77:rje 79:finger 87:link 95:supdup
  101:hostname 102:iso-tsap 103:gppitnp 104:acr-nema 109:pop2 110:pop3 111:sunrpc 113:auth
  115:sftp 117:uucp-path 119:nntp 123:ntp 135:epmap 137:netbios-ns 139:netbios-ssn 143:imap
  161:snmp 179:bgp 389:ldap 427:svrloc 465:submissions 512:exec 513:login 514:shell 515:printer
  526:tempo 530:courier 531:chat 532:netnews 540:uucp 548:afp 554:rtsp 556:remotefs 563:nntps
  587:submission 601:syslog-conn 636:ldaps 993:imaps 995:pop3s 1719:h323gatestat 1720:h323hostcall
  1723:pptp 2049:nfs 3659:apple-sasl 4045:npp 4190:sieve 5060:sip 5061:sips 6000:x11
  6566:sane-port 6665:irc 6666:irc 6667:irc 6668:irc 6669:irc 6679:osaut 6697:ircs-u 10080:amanda
`
  .trim()
  .split(/\s+/);

/** Versions of TLS for servers that have no option for them: OpenSSL's own configuration. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Setting } from "./server.ts";

/** The environment that keeps a server to the versions of TLS that its options name. */
export function openSslEnvironment(setting: Setting): Record<string, string> {
  const { minVersion, maxVersion } = setting.options.tls ?? {};
  if (minVersion === undefined && maxVersion === undefined) return {};
  const file = join(setting.directory, "openssl.cnf");
  writeFileSync(
    file,
    `openssl_conf = main
[main]
ssl_conf = ssl
[ssl]
system_default = versions
[versions]
MinProtocol = ${minVersion ?? "TLSv1.2"}
MaxProtocol = ${maxVersion ?? "TLSv1.3"}
`,
  );
  return { OPENSSL_CONF: file };
}

/**
 * The commands that hints show: what another run needs to reach a document as this one does, and how
 * that of a tree is to be given again.
 */
import type { CommandFor } from "../documents/hints.ts";
import { options } from "../options/table.ts";
import type { Settings } from "../options/command-line.ts";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import { withAdditions } from "../url/directory-url.ts";
import { formatFtpUrl } from "../url/format.ts";

/** Options without which the URL would mean something else, or the server not be reached. */
const kept = [
  "root",
  "nullCwd",
  "remoteEncoding",
  "noGlob",
  "passwordFile",
  "netrcFile",
  "noNetrc",
  "inet4Only",
  "inet6Only",
  "bindAddress",
  "active",
  "noHost",
  "noPipelining",
  "allowPorts",
  "proxy",
  "noProxy",
  "caCertificate",
  "certificate",
  "privateKey",
  "pinnedKey",
  "noCheckCertificate",
] as const satisfies readonly (keyof Settings)[];

/** Commands never have a password; `--user` and `--tls` become parts of the URL. */
export function commandFor(settings: Settings): CommandFor {
  const again = kept.flatMap((name) => wordsFor(name, settings));
  return (url, ...words) => {
    const shown = formatFtpUrl(withAdditions(url, settings));
    return ["ftpull", ...again, ...words, shown].map(quoteForShell).join(" ");
  };
}

function wordsFor(name: (typeof kept)[number], settings: Settings): string[] {
  const value = settings[name];
  const { long } = options[name];
  if (value === undefined || value === false) return [];
  if (value === true) return [long];
  // Standard input has been read by this run.
  if (name === "passwordFile" && value === "-") return [];
  const words = [value].flat().map(String);
  return words.flatMap((word) => [long, name === "proxy" ? redactUrlText(word) : word]);
}

/** The words for a command that goes on with a tree and its partial files, which -c resumes. */
export function sameCommand(settings: Settings): string {
  if (settings.continue || settings.noClobber) return "the same command";
  return `the same command with ${settings.force ? "-c in place of -f" : "-c"}`;
}

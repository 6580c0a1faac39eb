/** Commands for hints: to reach a document as this run does, and to resume the run. */
import type { CommandFor, ResumeCommand } from "../documents/hints.ts";
import type { Settings } from "../options/command-line.ts";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import { formatFtpUrl, withAdditions } from "../url/format.ts";

/** Options on which the meaning of the URL, or the way to the server, depends. */
const reaching = new Set(
  (
    "--root --null-cwd --remote-encoding --no-glob --password-file --netrc-file --no-netrc " +
    "--inet4-only --inet6-only --bind-address --active --no-host --no-pipelining --allow-port " +
    "--proxy --no-proxy --ca-certificate --certificate --private-key --pinnedpubkey " +
    "--no-check-certificate --site"
  ).split(" "),
);

/** Options that `-c -O FILE URL` replaces: it names the document and its file. */
const placing = new Set(
  (
    "--directory-prefix --input-file --base --accept --reject --newer-than --older-than " +
    "--force-directories --no-host-directories --cut-dirs --no-directories " +
    "--output-document --no-clobber"
  ).split(" "),
);

/** Makes commands for single URLs, without passwords; `--user` and `--tls` become parts of the URL. */
export function commandFor(settings: Settings): CommandFor {
  const options = settings.given
    .filter(({ long = "" }) => reaching.has(long))
    .map(({ text }) => text)
    .filter((text) => text !== "--password-file -"); // This run has read standard input.
  return (url, ...words) => {
    const shownUrl = formatFtpUrl(withAdditions(url, settings));
    return ["ftpull", ...options, ...[...words, shownUrl].map(quoteForShell)].join(" ");
  };
}

export function resumeCommand(settings: Settings): ResumeCommand {
  const options = settings.given.filter(({ long }) => long !== "--account" && long !== "--force");
  const texts = options.map(({ text }) => text);
  const urls = settings.urls.map((url) => quoteForShell(redactUrlText(url)));
  const resumesAnyway = settings.continue || settings.noClobber;
  const whole = commandWith(resumesAnyway ? [] : ["-c"], [...texts, ...urls]);
  return (numbered) => {
    if (numbered === undefined) return whole;
    const kept = options.filter(({ long = "" }) => !placing.has(long)).map(({ text }) => text);
    const url = quoteForShell(formatFtpUrl(numbered.url));
    const words = ["-O", quoteForShell(numbered.file), ...kept, url];
    return commandWith(settings.continue ? [] : ["-c"], words);
  };
}

const longest = 1000;

function commandWith(added: readonly string[], words: readonly string[]): string {
  const command = ["ftpull", ...added, ...words].join(" ");
  if (command.length <= longest) return command;
  return ["the same command", ...added.map((flag) => `with ${flag}`)].join(" ");
}

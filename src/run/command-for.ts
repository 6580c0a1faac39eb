/** Commands for hints: to reach a document as this run does, and to resume the run. */
import type { CommandFor, ResumeCommand } from "../documents/hints.ts";
import type { Settings } from "../options/command-line.ts";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import { formatFtpUrl, withAdditions } from "../url/format.ts";

/** Options that the URL's meaning or the way to the server depends on. */
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

const longest = 1000;

/** Makes commands for single URLs, without passwords; `--user` and `--tls` become parts of the URL. */
export function commandFor(settings: Settings): CommandFor {
  // Standard input has been read by this run.
  const again = settings.given.filter(
    ({ long = "", text }) => reaching.has(long) && text !== "--password-file -",
  );
  return (url, ...words) => {
    const shown = formatFtpUrl(withAdditions(url, settings));
    const behind = [...words, shown].map(quoteForShell);
    return ["ftpull", ...again.map(({ text }) => text), ...behind].join(" ");
  };
}

/** Makes commands that resume this run: as it was given, but with -c, and without secrets. */
export function resumeCommand(settings: Settings): ResumeCommand {
  const options = settings.given.filter(({ long }) => long !== "--account" && long !== "--force");
  const commandOf = (isSame: boolean, words: readonly string[]): string => {
    const command = [isSame ? "ftpull" : "ftpull -c", ...words].join(" ");
    if (command.length <= longest) return command;
    return isSame ? "the same command" : "the same command with -c";
  };
  const whole = commandOf(settings.continue || settings.noClobber, [
    ...options.map(({ text }) => text),
    ...settings.urls.map((url) => quoteForShell(redactUrlText(url))),
  ]);
  return (numbered) => {
    if (numbered === undefined) return whole;
    const kept = options.filter(({ long = "" }) => !placing.has(long)).map(({ text }) => text);
    const url = quoteForShell(formatFtpUrl(numbered.url));
    return commandOf(settings.continue, ["-O", quoteForShell(numbered.file), ...kept, url]);
  };
}

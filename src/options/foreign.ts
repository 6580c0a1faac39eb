/** Options of wget and curl: names that mean the same here, and advice about frequent ones that don't. */

/** Other names of this program's options. A name with "=" stands for the option with this argument. */
const meanings: Readonly<Record<string, string>> = {
  "--active": "--no-passive-ftp",
  "--bind-address": "--interface",
  "--inet4-only": "--ipv4",
  "--inet6-only": "--ipv6",
  "--no-mtime": "--no-use-server-timestamps",
  "--timeout": "--read-timeout --connect-timeout --dns-timeout",
  "--tls": "--ssl-reqd --ftp-ssl-reqd",
  "--user": "--ftp-user",
  "--format=names": "--list-only",
  "--links=follow": "--retr-symlinks",
  "--progress=bar": "--progress-bar",
};

/** Flags for what is done in any case. */
const idle =
  "-np --no-parent --passive-ftp --ftp-pasv --retry-connrefused --no-remove-listing --fail " +
  "--show-error --remote-time --netrc --show-progress --use-server-timestamps";

/** Names of options that have no equal here, by the hint that answers them. */
const hints: Readonly<Record<string, string>> = {
  "leave it out: it is for HTTP":
    "-L --location -H --header -U --user-agent --referer --compressed --content-disposition",
  "leave it out: a file is saved under its own name": "-J --remote-name",
  "leave it out: -P makes its directory": "--create-dirs",
  "leave it out: no configuration file and no robots.txt is read": "-e --execute",
  "leave it out: only what --site names is sent": "-Q --quote",
  "write -c": "-C --continue-at",
  "write -v": "-S --server-response",
  "write -q": "--silent",
  "write -j NUMBER": "-Z --parallel",
  "write -s NUMBER": "--split --max-connection-per-server",
  "write -t NUMBER, which counts the first try, too": "--retry --max-tries",
  "write -N, which compares with the file here": "-z --time-cond",
  "write -O FILE for the document, 2> FILE for the messages": "-o --output --output-file",
  "write 2>> FILE": "-a --append-output",
  "write -P DIRECTORY": "-d --dir --output-dir",
  "write --spider": "-I --head --dry-run",
  "write --tls": "--ssl --ftp-ssl",
  "write --no-check-certificate": "-k --insecure",
  "write --ca-certificate FILE": "--cacert",
  "write --certificate FILE": "-E --cert",
  "write --private-key FILE": "--key",
  "write --account NAME": "--ftp-account",
  "write --proxy socks5://HOST:PORT": "--socks5 --socks5-hostname",
  "write --user NAME, and give the password by FTPULL_PASSWORD or --password-file":
    "-u -p --password --ftp-password",
  "put the port into the URL, as in ftp://HOST:2121/": "--port",
  "see -A and -R for files, -X for directories": "--include --exclude --accept-regex",
  "write: nohup ftpull ... &": "-b --background",
  "write: timeout SECONDS ftpull ...": "--max-time",
  "there are no uploads": "--upload-file",
  "nothing is deleted: --spider lists what the server has": "--delete --max-delete",
};

/** The words to read in place of a name: none for a flag without effect. */
export const replacements: ReadonlyMap<string, string | undefined> = new Map([
  ...byName(meanings),
  ...idle.split(" ").map((name) => [name, undefined] as const),
]);

export const hintsByName: ReadonlyMap<string, string> = new Map(byName(hints));

function byName(table: Readonly<Record<string, string>>): (readonly [string, string])[] {
  return Object.entries(table).flatMap(([answer, names]) =>
    names.split(" ").map((name) => [name, answer] as const),
  );
}

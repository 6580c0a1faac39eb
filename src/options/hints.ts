/** Hints for frequent options of wget and curl that have no equal here, or that the two read differently. */

const hints: Readonly<Record<string, string>> = {
  "leave it out: it is for HTTP": "-L -H --header -U --user-agent --referer",
  "leave it out: a file is saved under its own name": "-J",
  "leave it out: --wait always waits as long": "--random-wait",
  "write -c": "-C --continue-at",
  "write -v": "-S",
  "write -j NUMBER": "-Z --parallel",
  "write -N, which compares with the local file": "-z --time-cond",
  "write -O FILE for the file, 2> FILE for the messages": "-o --output-file",
  "write 2>> FILE": "-a --append-output",
  "write -P DIRECTORY to save there, -v to see the dialogue": "-d",
  "write --spider": "-I",
  "write --tls": "--ssl --ftp-ssl",
  "write --no-check-certificate": "-k",
  "write --certificate FILE": "-E",
  "write --proxy socks5://HOST:PORT": "--socks5 --socks5-hostname",
  "write no_proxy=LIST ftpull, or --no-proxy": "--noproxy",
  "the user goes into the URL, or --user; the password into FTPULL_PASSWORD or --password-file":
    "-u -p --password --ftp-password",
  "put the port into the URL, as in ftp://HOST:2121/": "--port",
  "write timeout SECONDS ftpull": "--max-time",
  "write nohup ftpull ... &": "-b --background",
  "only SITE can be sent, by --site TEXT": "-Q --quote",
  "there are no uploads": "--upload-file",
  "nothing is ever deleted: -r --spider names what the server has": "--delete",
};

/** The hints by the names of options. */
export const hintsByName: ReadonlyMap<string, string> = new Map(
  Object.entries(hints).flatMap(([hint, names]) =>
    names.split(" ").map((name) => [name, hint] as const),
  ),
);

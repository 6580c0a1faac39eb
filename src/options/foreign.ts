/**
 * Options of other programs (wget, curl, lftp, aria2c, rsync) that have another name here, or none: for each answer
 * the names that it answers. foreign-meanings.ts decides between several answers to one name.
 *
 * The beginning of an answer shows its kind:
 * - "--active": understood. These words are read in the option's place; "" has no effect. With "!--active", an
 *   earlier --active is taken back. With "?--timeout {SECONDS}", a --timeout of the user's counts, wherever it stands.
 * - "write -P {DIRECTORY} (remark)": an error, which proposes the command with these words in the option's place.
 *   "write nohup ftpull URL &" has the proposed command in place of "ftpull URL".
 * - "leave it out: reason": an error, which proposes the command without the option.
 * - Other words: an error without a proposed command.
 *
 * Braces stand for the option's argument. A name with "=" takes an argument (`--dir=`); `--proxy=off` is answered
 * for this argument alone. Names that only foreign-meanings.ts refers to, such as --no-login for ftp's -n, are here, too.
 */
const answers: Readonly<Record<string, string>> = {
  "":
    "-np --no-parent --retry-connrefused --no-remove-listing -e=robots=off " +
    "--execute=robots=off --fail-with-body --netrc-optional --fail --show-error --remote-time " +
    "-n --no-buffer --no-config --ftps-implicit --ftp-skip-pasv-ip --glob=on",
  "--active": "--no-passive-ftp --no-passive",
  "!--active": "--passive-ftp --passive --ftp-pasv",
  "--no-mtime": "--no-use-server-timestamps",
  "!--no-mtime": "--use-server-timestamps",
  "!--no-netrc": "--netrc",
  "--no-proxy": "--proxy=off",
  "!--no-proxy": "--proxy=on",
  "!--no-check-certificate": "--check-certificate",
  "--links follow": "--retr-symlinks --retr-symlinks=yes --retr-symlinks=on --dereference",
  "--links keep": "--no-retr-symlinks --retr-symlinks=no --retr-symlinks=off",
  "--progress bar": "-# --progress-bar",
  "?--progress bar": "--show-progress",
  "--progress none": "--no-progress-meter",
  "--format names": "--list-only",
  "--inet4-only": "--ipv4",
  "--inet6-only": "--ipv6",
  "--tls": "--ssl-reqd --ftp-ssl-reqd",
  "--user {NAME}": "--ftp-user=",
  "--speed-limit {RATE}": "-Y=",
  "--speed-time {SECONDS}": "-y=",
  "--bind-address {ADDRESS}": "--interface=",
  "?--timeout {SECONDS}": "--read-timeout= --connect-timeout= --dns-timeout=",
  // curl doesn't count the first try.
  "--tries {NUMBER}+1": "--retry=",
  "{URL}": "--url=",

  "write -O {FILE} (or 2> FILE for the messages)": "-o=",
  "write 2> {FILE}": "--output-file= --stderr=",
  "write 2>&1": "--stderr=-",
  "write 2>> {FILE}": "-a= --append-output= --log= --log-file=",
  "write nohup ftpull URL &": "-b --background",
  "write -v": "-S --server-response --debug --trace= --trace-ascii=",
  "write -q": "--silent --console-log-level=error --console-log-level=warn",
  "write -f": "--allow-overwrite=true",
  "write -nc": "--auto-file-renaming=false --ignore-existing --only-missing --skip-existing",
  "write -r": "--recurse",
  "write -m": "--archive",
  "write --checksum md5:{HEX}": "--md5=",
  "write --checksum sha1:{HEX}": "--sha1=",
  "write --checksum sha256:{HEX}": "--sha256=",
  "write --checksum sha512:{HEX}": "--sha512=",
  "write --limit-rate {RATE}k (rsync's unit is KiB/s)": "--bwlimit=",
  "write --delete": "--delete-first",
  "write -c": "-C= --continue-at= --partial",
  "write -N": "--only-newer",
  "write -N (which also replaces a file of another size)": "--update",
  "write -N (which also replaces a file of another size; with -P DIRECTORY, not -O FILE)":
    "-z= --time-cond=",
  "write -P {DIRECTORY}": "--output-dir= --dir=",
  "write -j 4": "-Z --parallel",
  "write -j {NUMBER}": "--parallel-max=",
  "write -s {NUMBER}": "--split= --max-connection-per-server= --use-pget-n=",
  "write -t {NUMBER}": "--max-tries=",
  "write --waitretry {SECONDS}": "--retry-wait=",
  "write --limit-rate {RATE}": "--max-download-limit= --max-overall-download-limit=",
  "write --progress none": "--no-progress",
  "write --user {NAME} (and the variable FTPULL_PASSWORD, or --password-file FILE)": "-u=",
  "write FTPULL_PASSWORD='***' ftpull (or --password-file FILE, or --ask-password)":
    "--password= --ftp-password= --ftp-passwd= --pass=",
  "write --ask-password": "--use-askpass=",
  "write --password-file -": "--password-stdin",
  "write --account {NAME}": "--ftp-account=",
  "write --ca-certificate {FILE}": "--cacert=",
  "write --certificate {FILE} (ncftpget's -E is --active)": "-E=",
  "write --certificate {FILE}": "--cert=",
  "write --private-key {FILE}": "--key=",
  "write --no-check-certificate": "-k --insecure --check-certificate=false --check-certificate=off",
  "write --tls (which requires TLS)": "--ssl --ftp-ssl --ftp-ssl-control",
  "write --active": "--ftp-port=",
  "write -A {GLOB}": "--include= --include-glob=",
  "write -R {GLOB}": "--exclude-glob=",
  "write --no-glob": "-g --globoff --glob=off",
  "write --no-proxy (or --proxy URL)": "-Y=off -e=use_proxy=no -e=use_proxy=off",
  "write --proxy socks5://{HOST:PORT}": "--socks5= --socks5-hostname=",
  "write --format names (a directory's name ends in /; --format table has all facts)": "-l",
  "write --json": "--write-out=",
  "write --spider (which prints octets, time and URL)": "-I --head",
  "write --spider (which lists what the server has and, with --delete, what would go)": "--dry-run",
  "write timeout {SECONDS} ftpull": "--max-time=",

  "leave it out: it is for HTTP":
    "-L --location -U= -H= --header= --user-agent= --referer= --compressed --no-cache " +
    "--no-cookies --cookie= --max-redirs= --no-hsts --secure-protocol= --retry-on-http-error= " +
    "--proto=",
  "leave it out: it is for HTML": "--convert-links --page-requisites --adjust-extension",
  "leave it out: a file is saved under its own name (as x.1 if x is there; -f replaces it)":
    "--content-disposition --remote-name --remote-name-all -J --remote-header-name " +
    "--trust-server-names",
  "leave it out: files get the server's time": "-R",
  "leave it out: a URL that ends in / is listed": "--list",
  "leave it out: -f, -nc or -c says what becomes of an existing file":
    "--allow-overwrite=false --auto-file-renaming=true",
  "leave it out: -P makes its directory, and mkdir -p makes that of -O": "--create-dirs",
  "leave it out: no configuration and no robots.txt is read": "-e= --execute=",
  "leave it out: failures that may pass are tried again": "--retry-all-errors --retry-max-time=",
  "leave it out: the wait between tries doubles, up to --waitretry": "--retry-delay=",
  "leave it out: what the server supports is found out":
    "--ftp-method= --disable-epsv --disable-eprt --ftp-pret",
  "leave it out: TLS 1.2 and later are used": "--tlsv1.2 --tlsv1.3",
  "leave it out: binary is the default": "--binary --type=i --type=I",
  "leave it out: passive mode is the default": "-F",
  "leave it out: nothing is compressed on the way": "--compress",
  "leave it out: permissions are not copied": "--preserve-permissions --no-perms",
  "leave it out: a file gets its name when it is whole": "--delay-updates",
  "leave it out: see --links": "--safe-links",
  "leave it out: size and time are compared": "--size-only --ignore-time",
  "leave it out: -v shows the server's replies": "-D= --dump-header=",
  "leave it out: no command of the user's is sent": "-Q= --quote=",
  "leave it out: -s divides a file into equal parts": "--min-split-size=",

  "there are no uploads (curl and lftp have them)": "--upload-file=",
  "nothing is ever deleted on a server": "-DD --remove-source-files --Remove-source-files",
  "see --no-netrc for ftp's -n; curl's -n is the default": "--no-login",
  "what -R and -X leave out is kept here: remove it yourself": "--delete-excluded",
  "there is no quota": "--quota=",
  "there are no ranges; for a beginning: ftpull -O - URL | head -c N": "--range= --start-pos=",
  "no configuration file is read: -i FILE has URLs only": "-K= --config=",
  "see the typecode of a text, in quotes: ftpull 'URL;type=a'": "--ascii --use-ascii --type=",
  "see -A and -R, as in -A '*.[gG][zZ]'": "--ignore-case --accept-regex= --reject-regex=",
  "give a URL for each directory": "--include-directories=",
  "nothing is deleted on the server; for local files that it no longer has, see --delete":
    "--delete-after --delete-before --delete-during --delete-delay",
  "see -R for files, -R 'NAME/' for directories, -X for their paths": "--exclude= --exclude-from=",
  "see -v for messages, or -P for a directory": "-d",
  "see --ask-password, or put the port into the URL": "-p=",
  "put the port into the URL, as in ftp://HOST:2121/": "--port=",
  "set the variable no_proxy": "--noproxy=",
  "set the variable ftp_proxy to http://USER:PASSWORD@HOST:PORT": "--proxy-user= --proxy-password=",
};

export interface ForeignOption {
  /** Defined if the option takes an argument. */
  readonly argument: string | undefined;
  /** Words in place of the option; undefined if no command can be proposed. */
  readonly words: string | undefined;
  /** Text for the error; undefined for an option that is understood. */
  readonly advice?: string | undefined;
}

/** The answers by name, or by name and argument: `--glob` and `--glob=on`. */
export const foreignOptions = new Map(
  Object.entries(answers).flatMap(([answer, names]) =>
    names.split(" ").map((name) => {
      const option = name.includes("=") ? withArgument(answer) : flag(answer);
      return [name.replace(/=$/, ""), option] as const;
    }),
  ),
);

export function withArgument(answer: string): ForeignOption {
  return { ...flag(answer), argument: "any" };
}

export function flag(answer: string): ForeignOption {
  if (!/^[a-z]/.test(answer)) return { argument: undefined, words: answer };
  const [, written] = /^write (.*?)(?: \(|$)/.exec(answer) ?? [];
  const words = answer.startsWith("leave it out") ? "" : written;
  return { argument: undefined, words, advice: answer.replace(/[{}]/g, "") };
}

/** Forms of an answer's parts: an option with its sign; the argument as a URL; words around the whole command. */
const partForms = [
  /^(?:(?<drops>!)|(?<yields>\?))?(?<name>--?[\w-]+)(?: (?<template>.*))?$/,
  /^(?:(?<url>\{URL\})|(?<variable>FTPULL_PASSWORD=.*)|(?<redirection>\d?>.*))$/,
  /^(?<program>.*ftpull)(?: URL(?<ending>.*))?$/,
];
const partForm = new RegExp(partForms.map(({ source }) => source).join("|"));

type Around = "variable" | "redirection" | "program" | "ending";
type Group = "drops" | "yields" | "name" | "template" | "url" | Around;
export type AnswerPart = { readonly [Name in Group]?: string };

export function partsOf(words: string): AnswerPart[] {
  return words.split(/ (?=--?\w)/).map((part) => partForm.exec(part)?.groups ?? {});
}

export function placeholderIn(words: string): string | undefined {
  return /\{(?<placeholder>.*?)\}/.exec(words)?.groups?.["placeholder"];
}

/**
 * Puts the argument in place of an answer's braces, without a variable's name (wget's -e) or a verb (curl's -Q). With "+1"
 * behind the braces, a number is one more.
 */
export function filled(words: string, argument: string): string {
  const value = argument.replace(/^ftp_proxy=|^\*?SITE /i, "");
  const next = /^\d+$/.test(value) ? `${Number(value) + 1}` : value;
  return words.replace(/\{.*?\}(\+1)?/, (_, more?: string) => (more === undefined ? value : next));
}

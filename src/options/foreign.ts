/**
 * Options of other programs (wget, curl, lftp, aria2c) that have another name here, or none, grouped
 * by the answer to them. words.ts asks for them.
 *
 * An answer is an option (or {URL}) that is read in their place: "!" takes back an earlier one, and
 * "?" gives way to one that the user writes. Other answers are shown in an error: the option behind
 * "write" is part of the proposed command, without the remark in parentheses; "leave it out" proposes
 * the command without it; with any other answer no command is proposed. Braces hold the argument.
 *
 * In a list of names "=" says that an argument follows; behind it may stand the only argument meant.
 */
const answers: Readonly<Record<string, string>> = {
  "":
    "-np --no-parent --retr-symlinks --retry-connrefused --no-remove-listing -e=robots=off " +
    "--execute=robots=off --fail --show-error --remote-time -n --no-buffer --no-config --ftps-implicit",
  "--active": "--no-passive-ftp --no-passive",
  "!--active": "--passive-ftp --passive --ftp-pasv",
  "--no-mtime": "--no-use-server-timestamps",
  "!--no-mtime": "--use-server-timestamps",
  "!--no-netrc": "--netrc",
  "--no-proxy": "--proxy=off",
  "!--no-proxy": "--proxy=on",
  "!--no-check-certificate": "--check-certificate",
  "--progress=bar": "-# --progress-bar",
  "?--progress=bar": "--show-progress",
  "--progress=none": "--no-progress-meter",
  "--format=names": "--list-only",
  "--inet4-only": "--ipv4",
  "--inet6-only": "--ipv6",
  "--tls": "--ssl-reqd --ftp-ssl-reqd",
  "--user={NAME}": "--ftp-user=",
  "--speed-limit={RATE}": "-Y= --lowest-speed-limit=",
  "--speed-time={SECONDS}": "-y=",
  "--bind-address={ADDRESS}": "--interface=",
  "?--timeout={SECONDS}": "--read-timeout= --connect-timeout= --dns-timeout=",
  // curl doesn't count the first try.
  "--tries={NUMBER}+1": "--retry=",
  "{URL}": "--url=",

  "write -O {FILE} (or 2> FILE for the messages)": "-o=",
  "write 2> {FILE}": "--output-file= --stderr= --log=",
  "write 2>> {FILE}": "-a= --append-output=",
  "write -v": "-S --server-response --debug --trace= --trace-ascii=",
  "write -q": "--silent",
  "write -c": "-C= --continue-at=",
  "write -N": "-z= --time-cond= --only-newer",
  "write -nc": "--skip-existing --only-missing",
  "write -P {DIRECTORY}": "--output-dir= --dir=",
  "write -j 4": "-Z --parallel",
  "write -j {NUMBER}": "--parallel-max=",
  "write -s {NUMBER}": "--use-pget-n= --split=",
  "write --user {NAME} (and --password-file FILE, or the variable FTPULL_PASSWORD)": "-u=",
  "write --account {NAME}": "--ftp-account=",
  "write --ca-certificate {FILE}": "--cacert=",
  "write --certificate {FILE}": "-E= --cert=",
  "write --private-key {FILE}": "--key=",
  "write --no-check-certificate": "-k --insecure",
  "write --tls (which requires TLS)": "--ssl --ftp-ssl --ftp-ssl-control",
  "write --active": "--ftp-port=",
  "write --no-glob": "-g --globoff",
  "write --no-proxy (or --proxy URL)": "-Y=off -e=use_proxy=no -e=use_proxy=off",
  "write --proxy {URL}": "-e=ftp_proxy",
  "write --proxy socks5://{HOST:PORT}": "--socks5= --socks5-hostname=",
  "write --format names": "-l",
  "write --json": "--write-out=",
  "write --spider": "-I --head --dry-run",
  "write timeout {SECONDS} ftpull": "--max-time=",

  "leave it out, for --ask-password, --password-file FILE or the variable FTPULL_PASSWORD":
    "--password= --ftp-password= --use-askpass= --pass=",
  "leave it out: it is for HTTP":
    "-L --location -U= -H= --header= --user-agent= --referer= --compressed --page-requisites " +
    "--convert-links --adjust-extension --no-cache --no-cookies --cookie= --max-redirs=",
  "leave it out: a file is saved under its own name":
    "--content-disposition --remote-name --remote-name-all -J --remote-header-name",
  "leave it out: a file gets the server's time": "-R",
  "leave it out: -P makes its directory, and mkdir -p makes that of -O": "--create-dirs",
  "leave it out: nothing is deleted here": "--delete --delete-first",
  "leave it out: files are fetched whole, and -c resumes them": "--range=",
  "leave it out: no configuration and no robots.txt is read": "-e= --execute=",
  "leave it out: temporary failures are tried again": "--retry-all-errors --retry-delay=",
  "leave it out: what the server refuses is tried in another way":
    "--ftp-method= --disable-epsv --no-epsv --disable-eprt --no-eprt",
  "leave it out: no command of the user's is sent": "-Q= --quote= --request=",
  "leave it out: -s divides a file into equal parts": "--min-split-size=",
  "leave it out: TLS is 1.2 or 1.3": "--tlsv1.2 --tlsv1.3 --tls-max= --secure-protocol=",

  "there are no uploads": "--upload-file=",
  "end the command in &": "-b --background",
  "see -A, as in -A '*.[gG][zZ]'": "--ignore-case --accept-regex= --include= --include-glob=",
  "see -R, or -X for directories": "--reject-regex= --exclude= --exclude-glob=",
  "see --ca-certificate": "--ca-directory= --capath=",
  "give a URL for each directory": "--include-directories=",
  "see -P for a directory, or -v for messages": "-d=",
  "end the URL in ;type=a": "--use-ascii --ascii",
  "see --ask-password, or put the port into the URL": "-p= --port=",
  "set the variable no_proxy": "--noproxy=",
  "set the variable ftp_proxy to http://USER:PASSWORD@HOST:PORT": "--proxy-user= --proxy-password=",
};

/**
 * Names that have several meanings: where this follows (the next word behind a blank, or the rest of
 * the word behind "="), they are what another name is. Of -o and -S the whole command decides.
 */
const ambiguous: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  "-A": { "--user-agent": /^[ =][\w.-]+\/\d/ },
  "-I": { "--include-directories": /^(?: (?!-)[^.:]+$|[ =]\/)/ },
  "-O": { "--remote-name": /^(?:$| -.| \w+:\/\/|=\w+:\/\/|=[fgiIkJlLnNqORsSvZ#]+$)/ },
  "--output-document": { "--remote-name": /^[ =]\w+:\/\// },
  "-P": { "--ftp-port": /^[ =]-$/ },
  "-R": { "-R": /^(?:$| -.| \w+:\/\/|=[fgiIkJlLnNqsSvZ#]*O[fgiIkJlLnNqsSvZ#]*$)/ },
  "-T": { "--upload-file": /^ (?!\w+:|\d)(?:-$|.*[./])/ },
  "--parallel": { "--parallel-max": /^=/ },
  "-k": { "--min-split-size": /^[ =]\d+[KM]?$/ },
  "-e": { "-e=ftp_proxy": /^[ =]ftp_proxy=/ },
  "--execute": { "-e=ftp_proxy": /^[ =]ftp_proxy=/ },
  "-l": { "-l": /^(?:$| -\D| \w+:\/\/|=(?!inf$)[A-Za-z#])/ },
  "-m": { "--max-time": /^[ =][\d.]+$/ },
  "-r": { "--range": /^[ =]\d+-\d*$/ },
  "-w": { "--write-out": /^[ =](?![\d.])/ },
  "-s": { "--silent": /^(?:$| (?!\d|$)|=[A-Za-z#])/ },
  // wget's -o names a log, and curl's -sS shows errors.
  "-o": {
    "--output-file": /(?:^| )-(?:n[cdHpv]|t|-tries|-mirror|-recursive|[cNnq]*[mr](?![ =]?\d))/,
  },
  "-S": { "--show-error": /(?:^| )-(?:[a-zA-Z#]*s|-silent)/ },
};

/** The answer to another program's option. */
export interface ForeignOption {
  /** The argument's name, as in the option table: a flag has none. */
  readonly argument: string | undefined;
  /** Words of this program in its place; undefined where no command can be proposed. */
  readonly words: string | undefined;
  /** The text for the error; undefined for an option that is understood. */
  readonly advice?: string | undefined;
}

/** The answers by the names of options: `-k`, `--cacert`; with the only argument meant: `-Y=off`. */
export const foreignOptions = new Map(
  Object.entries(answers).flatMap(([answer, names]) =>
    names.split(" ").map((name) => [name.replace(/=$/, ""), foreignOption(answer, name)] as const),
  ),
);

function foreignOption(answer: string, name: string): ForeignOption {
  const argument = name.includes("=") ? "any" : undefined;
  if (!/^[a-z]/.test(answer)) return { argument, words: answer };
  const [, written] = /^write (.*?)(?: \(|$)/.exec(answer) ?? [];
  const words = answer.startsWith("leave it out") ? "" : written;
  return { argument, words, advice: answer.replace(/[{}]/g, "") };
}

/** Another program's meaning of `name` in `command`, if what follows fits only that. */
export function foreignMeaning(
  name: string,
  following: string,
  command: string,
): ForeignOption | undefined {
  const text = name === "-o" || name === "-S" ? command : following;
  const meant = Object.entries(ambiguous[name] ?? {}).find(([, pattern]) => pattern.test(text));
  return foreignOptions.get(meant?.[0] ?? `${name}=${following.slice(1)}`);
}

/**
 * Options of other programs (wget, curl, lftp, aria2c) that have another name here, or none, grouped
 * by what becomes of them. words.ts asks for them.
 *
 * In a list of names "=" says that an argument follows; behind it may stand the only argument that
 * is meant. In what is written in their place, braces hold the argument's name.
 */

/** Understood: what they stand for. With "?" it gives way to what the user says otherwise. */
const understood: Readonly<Record<string, string>> = {
  // Options that change nothing here.
  "":
    "-np --no-parent --passive-ftp --retr-symlinks --use-server-timestamps --no-config --unlink " +
    "--ftps-resume-ssl --no-ftps-fallback-to-ftp --retry-connrefused --no-remove-listing " +
    "-e=robots=off --execute=robots=off --fail --show-error --fail-with-body --remote-time " +
    "--netrc --netrc-optional --ftp-pasv --ftp-skip-pasv-ip -n --no-buffer --disable " +
    "--path-as-is --proxytunnel --proxy-basic --socks5-basic --proxy=on --dereference " +
    "--no-empty-dirs --ftps-implicit",
  "--active": "--no-passive-ftp",
  "--no-mtime": "--no-use-server-timestamps",
  "--progress=bar": "-# --progress-bar",
  "?--progress=bar": "--show-progress",
  "--progress=none": "--no-progress-meter",
  "--format=names": "--list-only",
  "--inet4-only": "--ipv4",
  "--inet6-only": "--ipv6",
  "--tls": "--ssl-reqd --ftp-ssl-reqd",
  "--spider": "--head",
  "--no-clobber": "--skip-existing --only-missing",
  "--no-proxy": "--proxy=off",
  "--timestamping": "--only-newer",
  "--user={NAME}": "--ftp-user=",
  "--speed-limit={RATE}": "-Y= --lowest-speed-limit=",
  "--speed-time={SECONDS}": "-y=",
  "--bind-address={ADDRESS}": "--interface=",
  "?--timeout={SECONDS}": "--read-timeout= --connect-timeout= --dns-timeout=",
  // curl doesn't count the first try.
  "--tries={NUMBER}+1": "--retry=",
  "{URL}": "--url=",
};

/** Named in an error: what to write in their place. What stands in parentheses is only said. */
const renamed: Readonly<Record<string, string>> = {
  "-O {FILE} (or 2> FILE for the messages)": "-o=",
  "2> {FILE}": "--output-file= --stderr= --log=",
  "2>> {FILE}": "-a= --append-output=",
  "-v": "-S --server-response --debug -d --trace= --trace-ascii= --trace-time",
  "-q": "--silent",
  "-c": "-C= --continue-at=",
  "-N": "-z= --time-cond=",
  "-P {DIRECTORY}": "--output-dir=",
  "-i {FILE}": "-K=",
  "-j 4": "-Z --parallel",
  "-j {NUMBER}": "--parallel-max= --max-threads=",
  "-s {NUMBER}": "--use-pget-n= --split= --max-connection-per-server=",
  "-nd": "--flat",
  "-A {PATTERN}": "--include-glob=",
  "-R {PATTERN}": "--exclude-glob=",
  "--user {NAME} (its password: --password-file FILE, or the variable FTPULL_PASSWORD)": "-u=",
  "--ask-password (or --password-file FILE, or the variable FTPULL_PASSWORD, for a named user)":
    "--password= --ftp-password= --use-askpass= --pass=",
  "--account {NAME}": "--ftp-account=",
  "--ca-certificate {FILE}": "--cacert=",
  "--certificate {FILE}": "-E= --cert=",
  "--private-key {FILE}": "--key=",
  "--no-check-certificate": "-k --insecure",
  "--tls (which requires TLS)": "--ssl --ftp-ssl --ftp-ssl-control",
  "--active": "--ftp-port=",
  "--no-glob": "-g --globoff",
  "--no-proxy (or --proxy URL)": "-Y=off -e=use_proxy=no -e=use_proxy=off",
  "--proxy {URL}": "-e=ftp_proxy",
  "--format names": "-l",
  "--json": "--write-out=",
  "--spider": "-I --delete-after --max-filesize= --dry-run",
  "--proxy socks5://{HOST:PORT}": "--socks5= --socks5-hostname= --preproxy= --socks4= --socks4a=",
  "--proxy http://{HOST:PORT}": "--proxy1.0=",
  "timeout {SECONDS} ftpull": "--max-time=",
  "umask {MODE}; ftpull": "--create-file-mode=",
};

/** To be left out, and why. */
const useless: Readonly<Record<string, string>> = {
  "FTP has no redirects": "-L --location",
  "it is for HTTP":
    "-U= -H= --header= --user-agent= --referer= --compressed --page-requisites --convert-links " +
    "--adjust-extension --no-cache --no-cookies --cookie= --max-redirect= --max-redirs=",
  "a file is saved under its own name":
    "--content-disposition --remote-name --remote-name-all -J --remote-header-name",
  "a file gets the server's time": "-R",
  "-P makes its directory, and mkdir -p makes that of -O": "--create-dirs",
  "directories are entered one by one": "--ftp-method=",
  "nothing is deleted here, and --spider -r lists what the server has": "--delete --delete-first",
  "permissions are not copied": "--preserve-permissions --no-perms",
  "links are followed, and files come before subdirectories": "--no-symlinks --depth-first",
  "another time or size means another file": "--ignore-time",
  "an existing file is kept unless -f replaces it": "--backups",
  "a file gets its name when it is complete": "--remove-on-error",
  "a file has to have the size that the server reports": "--ignore-length --ignore-content-length",
  "documents are fetched as a whole, and -c resumes them": "--start-pos= --range=",
  "local names are UTF-8, with control characters as %XX":
    "--local-encoding= --restrict-file-names=",
  "no configuration, no robots.txt and no commands are read": "-e= --execute= --config=",
  "options are for all URLs": "-: --next",
  "each URL is fetched, and the exit status tells of failures": "--fail-early --max-errors=",
  "what may be temporary is tried again, after 1, 2, 4 ... 30 seconds":
    "--retry-all-errors --retry-delay= --retry-max-time=",
  "it is up to the system": "--no-dns-cache --local-port= --dns-servers=",
  "PASV and PORT follow where EPSV and EPRT are refused":
    "--disable-epsv --no-epsv --disable-eprt --no-eprt",
  "there is no quota, and no command of the user's is sent":
    "-Q= --quota= --quote= --request= --ftp-alternative-to-user= --ftp-pret",
  "there is no Kerberos": "--krb=",
  "-s divides a file into equal parts": "--min-split-size=",
  "TLS is 1.2 or 1.3, with the ciphers of Node":
    "-1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tls-max= --secure-protocol= --ciphers=",
  "certificates and keys are PEM":
    "--cert-type= --key-type= --certificate-type= --private-key-type=",
  "no revocation lists are read": "--crlfile= --crl-file=",
  "what is encrypted stays encrypted":
    "--ftp-ssl-ccc --ftps-clear-data-connection --ftps-fallback-to-ftp",
  "proxies get a name and a password (Basic, SOCKS5)":
    "--proxy-anyauth --proxy-digest --proxy-negotiate",
  "ftp:, ftps: and ftpes: URLs alone are fetched": "--proto=",
};

/** Advice that no other option can follow. */
const advised: Readonly<Record<string, string>> = {
  "there are no uploads": "--upload-file= --append --ftp-create-dirs --crlf",
  "write & after the command": "-b --background",
  "write -4 or -6": "--prefer-family=",
  "write both cases, as in -A '*.[gG][zZ]'": "--ignore-case",
  "write a URL for each directory": "--include-directories=",
  "write -A 'PATTERN'": "--accept-regex= --include=",
  "write -R 'PATTERN', or -X DIR for directories": "--reject-regex= --exclude=",
  "write -s NUMBER": "--chunk-size=",
  "write --ca-certificate FILE": "--ca-directory= --capath=",
  "write the URL with ftp:": "--proto-default=",
  "write the port in the URL, as in ftp://host:2121/": "--port=",
  "write --ask-password for a password, or the port in the URL": "-p=",
  "write the address into the URL or into /etc/hosts": "--resolve= --connect-to=",
  "end the URL in ;type=a": "--use-ascii --ascii",
  "write the names into the variable no_proxy": "--noproxy=",
  "write http://USER:PASSWORD@HOST:PORT into the variable ftp_proxy":
    "--proxy-user= --proxy-password=",
};

/**
 * Names that have several meanings: where this follows (the next word behind a blank, or the rest of the
 * word behind "="), they are what another name is.
 */
const ambiguous: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  "-A": { "--user-agent": /^[ =][\w.-]+\/\d/ },
  "-I": { "--include-glob": /[*?]/, "--include-directories": /^(?: (?!-)[^.:]+$|[ =]\/)/ },
  "-O": { "--remote-name": /^(?:$| -.| \w+:\/\/|=\w+:\/\/|=[fgiIkJlLnNqORsSvZ#]+$)/ },
  "--output-document": { "--remote-name": /^[ =]\w+:\/\// },
  "-P": { "--ftp-port": /^[ =]-$/ },
  "-R": { "-R": /^(?:$| -.| \w+:\/\/|=[fgiIkJlLnNqsSvZ#]*O[fgiIkJlLnNqsSvZ#]*$)/ },
  "-T": { "--upload-file": /^ (?!\w+:|\d)(?:-$|.*[./])/ },
  "--parallel": { "--parallel-max": /^=/ },
  "-d": { "--output-dir": /^[ =](?!-)\w+\/?$/ },
  "-k": { "--min-split-size": /^[ =]\d+[KM]?$/ },
  "-x": { "--max-connection-per-server": /^[ =]\d+$/ },
  "-e": { "-e=ftp_proxy": /^[ =]ftp_proxy=/, "--delete": /^(?:$| -| \w+:\/\/)/ },
  "-p": { "--page-requisites": /^(?:$| -| \w+:\/\/)/ },
  "--execute": { "-e=ftp_proxy": /^[ =]ftp_proxy=/ },
  "-l": { "-l": /^(?:$| -\D| \w+:\/\/|=(?!inf$)[A-Za-z#])/ },
  "-m": { "--max-time": /^[ =][\d.]+$/ },
  "-r": { "--range": /^[ =]\d+-\d*$/ },
  "-w": { "--write-out": /^[ =](?![\d.])/ },
  "-s": { "--silent": /^(?:$| (?!\d|$)|=[A-Za-z#])/ },
};

export interface ForeignOption {
  /** As in the table of options: a flag has none. */
  readonly argument?: "any" | undefined;
  /** The words of this program in its place; undefined where no command can be proposed. */
  readonly words?: string | undefined;
  /** Advice for the error; undefined for an option that is understood. */
  readonly advice?: string;
}

/** The options by their names: `-k`, `--cacert`; with the argument that is meant: `-Y=off`. */
export const foreignOptions: ReadonlyMap<string, ForeignOption> = new Map([
  ...named(understood, (words) => ({ words })),
  ...named(renamed, (text) => ({
    words: text.replace(/ \(.*/, ""),
    advice: `write ${text.replace(/[{}]/g, "")}`,
  })),
  ...named(useless, (reason) => ({ words: "", advice: `leave it out: ${reason}` })),
  ...named(advised, (advice) => ({ advice })),
]);

/** Another program's meaning of `name`, if what follows fits only that. */
export function foreignMeaning(name: string, following: string): ForeignOption | undefined {
  const others = Object.entries(ambiguous[name] ?? {});
  const [other] = others.find(([, pattern]) => pattern.test(following)) ?? [];
  return foreignOptions.get(other ?? `${name}=${following.slice(1)}`);
}

function* named(
  group: Readonly<Record<string, string>>,
  meaningOf: (text: string) => ForeignOption,
): Generator<[string, ForeignOption]> {
  for (const [text, names] of Object.entries(group))
    for (const name of names.split(" ")) {
      const argument = name.includes("=") ? "any" : undefined;
      yield [name.replace(/=$/, ""), { ...meaningOf(text), argument }];
    }
}

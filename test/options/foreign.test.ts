/** What users of wget and curl type by habit: understood, or explained, but never misread. */
import { describe, expect, test } from "vitest";
import { FtpullError } from "../../src/errors.ts";
import { parseCommandLine } from "../../src/options/command-line.ts";
import type { Settings } from "../../src/options/command-line.ts";
import { foreignOptions } from "../../src/options/foreign.ts";
import { options } from "../../src/options/table.ts";
import { run } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";

const url = "ftp://h/x";

function settings(...argv: string[]): Settings {
  const result = parseCommandLine([...argv, url]);
  if (result.action !== "run") throw new Error(`asks for ${result.action}`);
  return result.settings;
}

function complaint(...argv: string[]): string {
  try {
    parseCommandLine(argv);
  } catch (error) {
    if (error instanceof FtpullError && error.hint === undefined) return error.message;
    throw error;
  }
  throw new Error(`"${argv.join(" ")}" was understood`);
}

const mirror = { recursive: true, level: 0 };
const proxyLogin = "write http://USER:PASSWORD@HOST:PORT into the variable ftp_proxy";

const understood: readonly [string, Partial<Settings>][] = [
  ["-m", mirror],
  ["--mirror", mirror],
  ["-np", {}],
  ["--no-parent", {}],
  ["--passive-ftp", {}],
  ["--no-passive-ftp", { active: true }],
  ["--retr-symlinks", {}],
  ["--use-server-timestamps", {}],
  ["--no-use-server-timestamps", { noMtime: true }],
  ["--fail", {}],
  ["--show-error", {}],
  ["-#", { progress: "bar" }],
  ["--progress-bar", { progress: "bar" }],
  ["--no-progress-meter", { progress: "none" }],
  ["--list-only", { format: "names" }],
  ["--remote-time", {}],
  ["--netrc", {}],
  ["--netrc-optional", {}],
  ["--ipv4", { inet4Only: true }],
  ["--ipv6", { inet6Only: true }],
  ["--ftp-pasv", {}],
  ["--ftp-skip-pasv-ip", {}],
  ["--ssl-reqd", { tls: true }],
  ["--ftp-ssl-reqd", { tls: true }],
  ["--no-config", {}],
  ["--unlink", {}],
  ["--ftps-resume-ssl", {}],
  ["--no-ftps-fallback-to-ftp", {}],
  ["--fail-with-body", {}],
  ["--head", { spider: true }],
  ["-n", {}],
  ["--no-buffer", {}],
  ["--disable", {}],
  ["--skip-existing", { noClobber: true }],
  ["--path-as-is", {}],
  ["--proxytunnel", {}],
  ["--proxy-basic", {}],
  ["--socks5-basic", {}],
];

const explained: readonly [string, string][] = [
  ["-o", "write -O FILE, or 2> FILE for the messages"],
  ["--output-file", "write 2> FILE"],
  ["-a", "write 2>> FILE"],
  ["--append-output", "write 2>> FILE"],
  ["-S", "write -v to see the replies"],
  ["--server-response", "write -v to see the replies"],
  ["--debug", "write -v"],
  ["--background", "write & after the command"],
  ["--show-progress", "write --progress bar"],
  ["--ftp-user", "write --user NAME"],
  ["--password", "write --password-file FILE or --ask-password"],
  ["--ftp-password", "write --password-file FILE or --ask-password"],
  ["--use-askpass", "write --ask-password"],
  ["--dns-timeout", "write --timeout SECONDS"],
  ["--read-timeout", "write --timeout SECONDS"],
  ["--waitretry", "leave it out: the waits between tries are 1, 2, 4 ... 30 seconds"],
  ["--retry-connrefused", "leave it out: what may be temporary is tried again"],
  ["--prefer-family", "write -4 or -6"],
  ["--ca-directory", "write --ca-certificate FILE"],
  ["--ftps-implicit", "write the URL with ftps:"],
  ["--proxy-password", proxyLogin],
  ["--content-disposition", "leave it out: a file is saved under its own name"],
  ["-U", "leave it out: it is for HTTP"],
  ["--header", "leave it out: it is for HTTP"],
  ["--ssl", "write --tls, which requires TLS"],
  ["--ftp-ssl", "write --tls, which requires TLS"],
  ["-u", "write --user NAME"],
  ["-k", "write --no-check-certificate"],
  ["--insecure", "write --no-check-certificate"],
  ["--cacert", "write --ca-certificate FILE"],
  ["--capath", "write --ca-certificate FILE"],
  ["-E", "write --certificate FILE"],
  ["--cert", "write --certificate FILE"],
  ["--key", "write --private-key FILE"],
  ["--pass", "write --password-file FILE or --ask-password"],
  ["--silent", "write -q"],
  ["-L", "leave it out: FTP has no redirects"],
  ["--location", "leave it out: FTP has no redirects"],
  ["--remote-name", "leave it out: a file is saved under its own name"],
  ["--remote-name-all", "leave it out: a file is saved under its own name"],
  ["-J", "leave it out: a file is saved under its own name"],
  ["--remote-header-name", "leave it out: a file is saved under its own name"],
  ["-OJ", "leave it out: a file is saved under its own name"],
  ["-OL", "leave it out: a file is saved under its own name"],
  ["-Os", "leave it out: a file is saved under its own name"],
  ["--output-dir", "write -P DIRECTORY"],
  ["--create-dirs", "write -P DIRECTORY, which is created if needed"],
  ["-C", "write -c"],
  ["--continue-at", "write -c"],
  ["-Z", "write -j NUMBER"],
  ["--parallel", "write -j NUMBER"],
  ["--parallel-max", "write -j NUMBER"],
  ["--retry", "write --tries NUMBER"],
  ["--retry-delay", "leave it out: the waits between tries are 1, 2, 4 ... 30 seconds"],
  ["--retry-max-time", "leave it out: the waits between tries are 1, 2, 4 ... 30 seconds"],
  ["--retry-all-errors", "leave it out: what may be temporary is tried again"],
  ["--connect-timeout", "write --timeout SECONDS"],
  ["--speed-limit", "write --timeout SECONDS"],
  ["--speed-time", "write --timeout SECONDS"],
  ["--max-time", "write timeout SECONDS before ftpull"],
  ["-g", "write --no-glob"],
  ["--globoff", "write --no-glob"],
  ["--socks5", "write --proxy socks5://HOST:PORT"],
  ["--socks5-hostname", "write --proxy socks5://HOST:PORT"],
  ["--proxy-user", proxyLogin],
  ["--ftp-port", "write --active"],
  ["--ftp-account", "write --account NAME"],
  ["--ftp-method", "leave it out: directories are entered one by one"],
  ["--disable-epsv", "leave it out: PASV follows where EPSV is refused"],
  ["--disable-eprt", "leave it out: PORT follows where EPRT is refused"],
  ["-z", "write -N"],
  ["--time-cond", "write -N"],
  ["--use-ascii", "end the URL in ;type=a"],
  ["--url", "write the URL alone"],
  ["--upload-file", "there are no uploads"],
  ["-H", "leave it out: it is for HTTP"],
  ["--user-agent", "leave it out: it is for HTTP"],
  ["--referer", "leave it out: it is for HTTP"],
  ["--compressed", "leave it out: it is for HTTP"],
  ["-b", "write & after the command"],
  ["-d", "write -v"],
  ["-e", "leave it out: no configuration and no robots.txt are read"],
  ["--execute", "leave it out: no configuration and no robots.txt are read"],
  ["--config", "leave it out: no configuration and no robots.txt are read"],
  ["-nd", "leave it out: only trees make directories, and keep their shape"],
  ["--no-directories", "leave it out: only trees make directories, and keep their shape"],
  ["-I", "write --spider for that of curl, and a URL for each directory for that of wget"],
  ["--include-directories", "write a URL for each directory"],
  ["-X", "write -R 'NAME/' to leave out a directory"],
  ["--exclude-directories", "write -R 'NAME/' to leave out a directory"],
  ["--accept-regex", "write -A 'PATTERN'"],
  ["--reject-regex", "write -R 'PATTERN'"],
  ["--ignore-case", "write both cases, as in -A '*.[gG][zZ]'"],
  ["--delete-after", "write --spider, which fetches nothing"],
  ["--no-remove-listing", "write --format raw to see a listing: none is saved"],
  ["--preserve-permissions", "leave it out: permissions are not copied"],
  ["--backups", "leave it out: an existing file is kept unless -f replaces it"],
  ["--restrict-file-names", "leave it out: control characters in names become %XX"],
  ["--local-encoding", "leave it out: local names are UTF-8"],
  ["--no-dns-cache", "leave it out: it is up to the system"],
  ["--bind-address", "leave it out: it is up to the system"],
  ["-w", "write --json for curl's; there are no waits between documents"],
  ["--wait", "leave it out: there are no waits between documents"],
  ["--random-wait", "leave it out: there are no waits between documents"],
  ["-Q", "leave it out: there is no quota, and no command of the user's is sent"],
  ["--quota", "leave it out: there is no quota"],
  ["--start-pos", "leave it out: documents are fetched as a whole, and -c resumes them"],
  ["--ignore-length", "leave it out: a file has to have the size that the server reports"],
  ["--certificate-type", "leave it out: certificates and keys are PEM"],
  ["--private-key-type", "leave it out: certificates and keys are PEM"],
  ["--crl-file", "leave it out: no revocation lists are read"],
  ["--ciphers", "leave it out: the ciphers are those of Node"],
  ["--secure-protocol", "leave it out: TLS 1.2 and 1.3 are used"],
  ["--pinnedpubkey", "write --ca-certificate FILE with the server's certificate"],
  ["--ftps-fallback-to-ftp", "leave it out: TLS is never replaced by clear text"],
  ["--ftps-clear-data-connection", "leave it out: what is encrypted stays encrypted"],
  ["--page-requisites", "leave it out: it is for HTTP"],
  ["--convert-links", "leave it out: it is for HTTP"],
  ["--adjust-extension", "leave it out: it is for HTTP"],
  ["--no-cache", "leave it out: it is for HTTP"],
  ["--no-cookies", "leave it out: it is for HTTP"],
  ["--max-redirect", "leave it out: it is for HTTP"],
  ["--fail-early", "leave it out: each URL is fetched, and the exit status tells of failures"],
  ["-K", "write -i FILE for a file of URLs"],
  ["--write-out", "write --json"],
  ["--stderr", "write 2> FILE"],
  ["--trace", "write -v"],
  ["--trace-ascii", "write -v"],
  ["--trace-time", "write -v"],
  ["--remove-on-error", "leave it out: a file gets its name when it is complete"],
  ["--create-file-mode", "write umask MODE before ftpull"],
  ["--range", "leave it out: documents are fetched as a whole, and -c resumes them"],
  ["--max-filesize", "write --spider to see the size"],
  ["--ignore-content-length", "leave it out: a file has to have the size that the server reports"],
  ["-:", "leave it out: options are for all URLs"],
  ["--next", "leave it out: options are for all URLs"],
  ["--interface", "leave it out: it is up to the system"],
  ["--local-port", "leave it out: it is up to the system"],
  ["--dns-servers", "leave it out: it is up to the system"],
  ["--resolve", "write the address into the URL or into /etc/hosts"],
  ["--connect-to", "write the address into the URL or into /etc/hosts"],
  ["--noproxy", "write the names into the variable no_proxy"],
  ["--proxy1.0", "write --proxy http://HOST:PORT"],
  ["--preproxy", "write --proxy socks5://HOST:PORT"],
  ["--socks4", "write --proxy socks5://HOST:PORT"],
  ["--socks4a", "write --proxy socks5://HOST:PORT"],
  ["--proxy-anyauth", "leave it out: proxies get a name and a password (Basic, SOCKS5)"],
  ["--proxy-digest", "leave it out: proxies get a name and a password (Basic, SOCKS5)"],
  ["--proxy-negotiate", "leave it out: proxies get a name and a password (Basic, SOCKS5)"],
  ["--quote", "leave it out: no command of the user's is sent"],
  ["--request", "leave it out: no command of the user's is sent"],
  ["--ftp-alternative-to-user", "leave it out: no command of the user's is sent"],
  ["--ftp-pret", "leave it out: no command of the user's is sent"],
  ["--krb", "leave it out: there is no Kerberos"],
  ["--ftp-ssl-control", "write --tls, which encrypts data too"],
  ["--ftp-ssl-ccc", "leave it out: what is encrypted stays encrypted"],
  ["-1", "leave it out: TLS 1.2 and 1.3 are used"],
  ["--tlsv1.2", "leave it out: TLS 1.2 and 1.3 are used"],
  ["--tls-max", "leave it out: TLS 1.2 and 1.3 are used"],
  ["--cert-type", "leave it out: certificates and keys are PEM"],
  ["--key-type", "leave it out: certificates and keys are PEM"],
  ["--crlfile", "leave it out: no revocation lists are read"],
  ["--proto", "leave it out: ftp:, ftps: and ftpes: URLs alone are fetched"],
  ["--proto-default", "write the URL with ftp:"],
  ["--append", "there are no uploads"],
  ["--ftp-create-dirs", "there are no uploads"],
  ["--crlf", "there are no uploads"],
  ["--cookie", "leave it out: it is for HTTP"],
  ["--max-redirs", "leave it out: it is for HTTP"],
  ["--max-threads", "write -j NUMBER"],
  ["--chunk-size", "write -s NUMBER"],
  ["--port", "write the port in the URL, as in ftp://host:2121/"],
];

describe("an option that means the same is understood:", () => {
  test.each(understood)("%s", (name, meaning) => {
    expect(settings(name)).toEqual({ ...settings(), ...meaning });
    if (name.startsWith("--"))
      expect(() => settings(`${name}=x`)).toThrow(`${name} takes no argument`);
  });
});

describe("an option with another name here is explained:", () => {
  test.each(explained)("%s", (name, advice) => {
    const message = `unknown option "${name}": ${advice}`;
    expect(complaint(name, url)).toBe(message);
    expect(complaint(name, "u:secret", url)).toBe(message);
    if (name.startsWith("--")) expect(complaint(`${name}=u:secret`, url)).toBe(message);
    if (name.startsWith("--")) return;
    expect(complaint(`-q${name.slice(1)}`, url)).toBe(message);
    if (!name.startsWith("-O")) expect(complaint(`${name}u:secret`, url)).toBe(message);
  });
});

test("each row of the table has a test, and none is for an option of the program but -s", () => {
  const tested = [...understood, ...explained].map(([name]) => name);
  expect([...tested, "-s"].toSorted()).toEqual(Object.keys(foreignOptions).toSorted());
  const names = Object.values(options).flatMap((one) => [
    one.long,
    "short" in one ? one.short : "",
  ]);
  expect(names.filter((name) => name in foreignOptions)).toEqual(["-s"]);
});

test("an advice names only options that exist", () => {
  const names = Object.values(options).flatMap((one) => [
    one.long,
    "short" in one ? one.short : "",
  ]);
  for (const [, advice] of explained)
    for (const [name] of advice.matchAll(/(?<= )-{1,2}[a-zA-Z0-9][a-z-]*/g))
      expect(names, advice).toContain(name);
});

describe("curl's flags in one word", () => {
  test.each([
    ["-fsSL", 'unknown option "-sS": write -q'],
    ["-sSfL", 'unknown option "-sS": write -q'],
    ["-sL", 'unknown option "-sL": write -q'],
    ["-s#", 'unknown option "-s#": write -q'],
    ["-Lf", 'unknown option "-L": leave it out: FTP has no redirects'],
    ["-C-", 'unknown option "-C": write -c'],
    ["-fOL", 'unknown option "-OL": leave it out: a file is saved under its own name'],
  ])("%s: %s", (word, message) => {
    expect(complaint(word, url)).toBe(message);
  });

  test("are no file of -O and no number of -s where they can be told from them", () => {
    expect(settings("-OLatest.txt").outputDocument).toBe("Latest.txt");
    expect(settings("-O", "L").outputDocument).toBe("L");
    expect(settings("-s4").segments).toBe(4);
    expect(() => settings("-s0")).toThrow('--segments "0": expected a whole number above 0');
  });
});

test.each([
  ["http://u:secret@proxy:3128", "http://u@proxy:3128"],
  ["socks5h://proxy", "socks5h://proxy"],
  ["proxy:3128", "proxy:3128"],
  ["10.0.0.1:3128/", "10.0.0.1:3128/"],
])(
  "-x with the proxy %s, as in curl, is an error before anything is sent",
  async (proxy, shown) => {
    const server = await startServer({ files: { x: "text" } });
    const stderr =
      `ftpull: "${shown}" is no ftp: URL, and -x is --force-directories\n` +
      "hint: for a proxy write --proxy URL, or set the variable ftp_proxy\n";
    for (const words of [
      ["-x", proxy],
      ["-qx", proxy],
    ])
      expect(await run([...words, server.url("/x")])).toMatchObject({
        status: 2,
        stdout: "",
        stderr,
      });
    expect(server.commands).toEqual([]);
  },
);

test("-x and a URL without a scheme is no proxy", () => {
  const urls = ["host/a:1", "10:30", "ftp://h:21"];
  const settings = parseCommandLine(["-x", "-B", "ftp://h/", ...urls]);
  expect(settings).toMatchObject({ settings: { forceDirectories: true } });
});

test("curl's -l before a URL, which is wget's with a number, is explained", async () => {
  const stderr =
    'ftpull: --level "ftp://u@h/pub/": expected a whole number\n' +
    "hint: to list names, as curl's -l does, write --format names\n";
  expect(await run(["-l", "ftp://u:secret@h/pub/"])).toMatchObject({ status: 2, stderr });
  expect(() => settings("-l", "x")).toThrow('--level "x": expected a whole number');
});

test("wget's -m in one word with others, and what contradicts it", async () => {
  expect(settings("-mnH")).toEqual({ ...settings(), ...mirror, noHostDirectories: true });
  expect(settings("-m", "-c")).toEqual({ ...settings(), ...mirror, continue: true });
  const words = "--recursive and --output-document contradict each other";
  expect(() => settings("-m", "-O", "x")).toThrow(words);
});

test("what -m implies gives way to the user's own -l, before or behind it", () => {
  for (const words of ["-m -l 3", "-l 3 -m", "-ml3", "--mirror --level=3", "-m --mirror --lev 3"])
    expect(settings(...words.split(" "))).toEqual({ ...settings(), ...mirror, level: 3 });
  expect(settings("-m", "--mirror")).toEqual({ ...settings(), ...mirror });
  expect(() => settings("-m", "-l", "3", "-l", "4")).toThrow("--level is given twice");
  expect(settings("-O", "a?=b").outputDocument).toBe("a?=b");
});

test.each(["-O", "--output-document="])(
  "%s with a URL for its file is an error without its password",
  async (option) => {
    const words = option === "-O" ? ["-O", "ftp://u:secret@h/x"] : [`${option}ftp://u:secret@h/x`];
    const stderr =
      'ftpull: -O took "ftp://u@h/x" for its file\n' +
      "hint: leave -O out: a file is saved under its own name\n";
    for (const urls of [[], ["ftp://127.0.0.1/x"]])
      expect(await run([...words, ...urls])).toMatchObject({ status: 2, stdout: "", stderr });
  },
);

test("the program understands wget's words and fetches the file", async () => {
  const server = await startServer({ files: { x: "text" } });
  const words = ["-q", "-np", "--passive-ftp", "-O", "-", server.url("/x")];
  expect(await run(words)).toMatchObject({ status: 0, stdout: "text", stderr: "" });
});

test.each([
  [["-u", "jane:secret"], 'ftpull: unknown option "-u": write --user NAME\n'],
  [["-fsSL"], 'ftpull: unknown option "-sS": write -q\n'],
  [["-C", "-"], 'ftpull: unknown option "-C": write -c\n'],
])(
  "the program explains %j with status 2, sends nothing and writes no file",
  async (words, stderr) => {
    const server = await startServer({ files: { x: "text" } });
    const result = await run([...words, server.url("/x")]);
    expect(result).toMatchObject({ status: 2, stdout: "", stderr });
    expect(server.commands).toEqual([]);
  },
);

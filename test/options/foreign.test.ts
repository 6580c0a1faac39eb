/** What users of wget and curl type by habit: understood, or explained, but never misread. */
import { describe, expect, test } from "vitest";
import { FtpullError } from "../../src/errors.ts";
import { parseCommandLine } from "../../src/options/command-line.ts";
import type { Settings } from "../../src/options/command-line.ts";
import { foreignOptions } from "../../src/options/foreign.ts";
import { namesOf, type OptionRecord, options } from "../../src/options/table.ts";
import { commandsIn } from "../support/shell.ts";
import { rowsOf, wordsOf } from "../support/rows.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const url = "ftp://h/x";

function settings(...argv: string[]): Omit<Settings, "given"> {
  const result = parseCommandLine([...argv, url]);
  if (result.action !== "run") throw new Error(`asks for ${result.action}`);
  const { given: _given, ...settings } = result.settings;
  return settings;
}

/** The error of a command line: its message, and the command that it ends with. */
function complaint(...argv: string[]): { message: string; hint: string | undefined } {
  try {
    parseCommandLine(argv);
  } catch (error) {
    if (error instanceof FtpullError) return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error(`"${argv.join(" ")}" was understood`);
}

const mirror = { mirror: true, recursive: true, level: 0 };

describe("an option that means the same is understood:", () => {
  test.each<[string, Partial<Settings>]>([
    ["--execute=robots=off", {}],
    ["--show-progress --progress=dot:giga", { progress: "plain" }],
    ["-#", { progress: "bar" }],
    ["--no-progress-meter", { progress: "none" }],
    ["--list-only", { format: "names" }],
    ["--ipv4", { inet4Only: true }],
    ["--ssl-reqd", { tls: true }],
    ["--ftp-user jane", { user: "jane" }],
    ["--read-timeout=20", { timeoutMs: 20_000 }],
    ["--read-timeout=20 --connect-timeout 7", { timeoutMs: 7000 }],
    ["--read-timeout=20 -T 5", { timeoutMs: 5000 }],
    ["-T 5 --read-timeout=20", { timeoutMs: 5000 }],
    ["--progress=dot:giga --show-progress", { progress: "plain" }],
    ["--retry=0", { tries: 1 }],
    ["--proxy off", { noProxy: true }],
    ["--active --passive-ftp", {}],
    ["--active --passive", {}],
    ["--passive-ftp --no-passive-ftp", { active: true }],
    ["--no-passive-ftp --ftp-pasv -q", { quiet: true }],
    ["--no-use-server-timestamps --use-server-timestamps", {}],
    ["--no-netrc --netrc", {}],
    ["--proxy=off --proxy=on", {}],
    ["--no-check-certificate --check-certificate", {}],
    ["--retr-symlinks", { links: "follow" }],
    ["--retr-symlinks=yes", { links: "follow" }],
    ["--dereference", { links: "follow" }],
    ["-m -L", { mirror: true, recursive: true, level: 0, links: "follow" }],
    ["--retr-symlinks=no", { links: "keep" }],
    ["--links follow --no-retr-symlinks", { links: "keep" }],
    ["--links skip --retr-symlinks", { links: "follow" }],
  ])("%s", (words, meaning) => {
    expect(settings(...words.split(" "))).toEqual({ ...settings(), ...meaning });
  });

  test("--url", () => {
    expect(settings("--url", "ftp://h/y").urls).toEqual(["ftp://h/y", url]);
  });

  test("a flag takes no argument, and an option needs one", () => {
    expect(complaint("--no-parent=x", url).message).toBe("--no-parent takes no argument");
    expect(complaint(url, "--ftp-user").message).toBe('no argument for "--ftp-user"');
    expect(complaint("--ftp-user", "-q", url).message).toBe('no argument for "--ftp-user"');
    expect(complaint("--retry", "often", url).message).toContain('--tries "often": expected');
  });
});

describe("an error ends with the command as it should be written:", () => {
  const login = "--user NAME (and the variable FTPULL_PASSWORD, or --password-file FILE)";
  const password =
    "write FTPULL_PASSWORD='***' ftpull (or --password-file FILE, or --ask-password)";
  const janes = "FTPULL_PASSWORD='***' ftpull --user jane URL";
  const logOrDocument = "may be a log or a document: write 2> FILE, or -O FILE";

  const hex = "0".repeat(64);
  const md5 = "0".repeat(32);

  /** What is typed in front of a URL, the answer, and the command without the program's name. */
  const answers = rowsOf(`
-o out | -o: write -O FILE (or 2> FILE for the messages) | -O out URL
-o log | -o: ${logOrDocument}
-f -o log | -o: ${logOrDocument}
-q -o dl/access_log | -o: ${logOrDocument}
-c -o wget-log.txt | -o: ${logOrDocument}
-q -N -o /dev/null | -o: ${logOrDocument}
-oci.log | -o: ${logOrDocument}
--output-file=log | --output-file: write 2> FILE | URL 2> log
-S | -S: write -v | -v URL
--stderr - | --stderr: write 2>&1 | URL 2>&1
--log=run.log | --log: write 2>> FILE | URL 2>> run.log
-ci urls -o l.txt | -o: write 2> FILE | -c -i urls URL 2> l.txt
-o l.txt --no-check-certificate | -o: write 2> FILE | --no-check-certificate URL 2> l.txt
--cert c.pem:s3cret | --cert: write --certificate FILE | --certificate c.pem URL
--include *.gz | --include: write -A GLOB | -A '*.gz' URL
-n 4 | -n: write -s NUMBER | -s 4 URL
--user-agent me | --user-agent: leave it out: it is for HTTP | URL
-u jane | -u: write ${login} | --user jane URL
--active --passive-ftp -L | -L: leave it out: it is for HTTP | --passive-ftp URL
--user a,b -L | -L: leave it out: it is for HTTP | --user a,b URL
-u jane,secret | -u: write ${login} | ${janes}
-d dl | -d: write -P DIRECTORY | -P dl URL
-d ./a.b/ | -d: write -P DIRECTORY | -P ./a.b/ URL
-DD | -DD: nothing is ever deleted on a server
--list | --list: leave it out: a URL that ends in / is listed | URL
-k 1M | -k: leave it out: -s divides a file into equal parts | URL
-ujane:secret | -u: write ${login} | ${janes}
--user jane --password=secret | --password: ${password} | ${janes}
--ftp-user=jane --ftp-password x | --ftp-password: ${password} | FTPULL_PASSWORD='***' ftpull --ftp-user jane URL
--ask-password -L | -L: leave it out: it is for HTTP | --ask-password URL
-k | -k: write --no-check-certificate | --no-check-certificate URL
-k -l 5 -r | -k: leave it out: it is for HTML | -l 5 -r URL
--cacert ca.pem | --cacert: write --ca-certificate FILE | --ca-certificate ca.pem URL
-C- | -C: write -c | -c URL
--parallel=3 | --parallel: write -j NUMBER | -j 3 URL
--socks5 u:secret@h:1 | --socks5: write --proxy socks5://HOST:PORT | --proxy socks5://u@h:1 URL
-o log -m | -o: write 2> FILE | -m URL 2> log
-cNr -o log | -o: write 2> FILE | -c -N -r URL 2> log
-o log --mirror | -o: write 2> FILE | --mirror URL 2> log
-o log --tries=3 | -o: write 2> FILE | --tries 3 URL 2> log
-I pub,genome | -I: give a URL for each directory
-e ftp_proxy=http://p:1 | -e: write --proxy URL | --proxy http://p:1 URL
-e use_proxy=off | -e: write --no-proxy (or --proxy URL) | --no-proxy URL
-Q NOOP | -Q: leave it out: no command of the user's is sent | URL
--exclude-glob *.asc | --exclude-glob: write -R GLOB | -R '*.asc' URL
--exclude *.asc | --exclude: write -R GLOB | -R '*.asc' URL
--exclude old | --exclude: see -R for files, -R 'NAME/' for directories, -X for their paths
--use-ascii | --use-ascii: see the typecode of a text, in quotes: ftpull 'URL;type=a'
--dry-run | --dry-run: write --spider (which lists what the server has and, with --delete, what would go) | --spider URL
-m --delete -n | -n: write --spider (which lists what the server has and, with --delete, what would go) | -m --delete --spider URL
-n --mirror | -n: write --spider (which lists what the server has and, with --delete, what would go) | --spider --mirror URL
-rn | -n: write --spider (which lists what the server has and, with --delete, what would go) | -r --spider URL
-o ci.log -P bb | -o: write 2> FILE | -P bb URL 2> ci.log
-o log -O o.txt | -o: write 2> FILE | -O o.txt URL 2> log
-o log -qO- | -o: write 2> FILE | -q -O - URL 2> log
-o out -P dl | -o: may be a log or a document: write 2> FILE, or -O DIRECTORY/FILE without -P
-mk | -k: leave it out: it is for HTML | -m URL
-k -np | -k: leave it out: it is for HTML | -np URL
-z 2026-01-01 | -z: see -N, or --newer-than for trees and patterns
-Q 2m | -Q: there is no quota
-Q2m | -Q: there is no quota
--quota=2m | --quota: there is no quota
-cut-dirs=3 | -cut-dirs: did you mean --cut-dirs? | --cut-dirs 3 URL
-limit-rate 2M | -limit-rate: did you mean --limit-rate? | --limit-rate 2M URL
-no-verbose | -no-verbose: did you mean --no-verbose? | --no-verbose URL
-e a=1 -e b=2 | -e: leave it out: no configuration and no robots.txt is read | URL
-e mirror | -e: scripts of lftp are not read: name the directory by its URL, with -m for mirror, and --delete for its -e
-e mget | -e: name the file by its URL, which may have patterns, as in 'ftp://HOST/DIRECTORY/*.gz'
-p 2121 | -p: see --ask-password, or put the port into the URL
--port 2121 | --port: put the port into the URL, as in ftp://HOST:2121/
--bwlimit=2000 | --bwlimit: write --limit-rate RATEk (rsync's unit is KiB/s) | --limit-rate 2000k URL
--bwlimit 1.5m | --bwlimit: write --limit-rate RATE | --limit-rate 1.5m URL
--sha256 ${hex} | --sha256: write --checksum sha256:HEX | --checksum sha256:${hex} URL
--md5=${md5} | --md5: write --checksum md5:HEX | --checksum md5:${md5} URL
--allow-overwrite=true | --allow-overwrite: write -f | -f URL
--auto-file-renaming=false | --auto-file-renaming: write -nc | -nc URL
--console-log-level=error | --console-log-level: write -q | -q URL
--retry-delay 3 | --retry-delay: leave it out: the wait between tries doubles, up to --waitretry | URL
-K curlrc | -K: no configuration file is read: -i FILE has URLs only
-mK | -K: leave it out: it is for HTML | -m URL
-D head.txt | -D: leave it out: -v shows the server's replies | URL
-av | -a: write -m | -m URL
-a dl.log | -a: write 2>> FILE | URL 2>> dl.log
-a -v --delete | -a: write -m | -m -v --delete URL
-rvz --delete | -z: leave it out: nothing is compressed on the way | -r -v --delete URL
-ru | -u: write -N (which also replaces a file of another size) | -r -N URL
--delete-excluded | --delete-excluded: what -R and -X leave out is kept here: remove it yourself
-b cookies.txt | -b: leave it out: it is for HTTP | URL
--delete-after | --delete-after: nothing is deleted on the server; for local files that it no longer has, see --delete
-e open | -e: leave it out: no configuration and no robots.txt is read | URL
`);

  test.each(answers)("%s | %s", (typed = "", answer = "", written) => {
    const [name, advice] = answer.split(/: (.*)/);
    const command = `${/ftpull/.test(written ?? "") ? "" : "ftpull "}${written}`;
    expect(complaint(...typed.split(" "), url)).toEqual({
      message: `unknown option "${name}": ${advice}`,
      hint: written === undefined ? "see ftpull --help" : `write: ${command.replace("URL", url)}`,
    });
  });

  test("--start-pos, which has a pipe in its answer", () => {
    const advice = "there are no ranges; for a beginning: ftpull -O - URL | head -c N";
    expect(complaint("--start-pos=470", url).message).toContain(`"--start-pos": ${advice}`);
  });

  test.each([
    [["-Q", "SITE RDW"], "RDW"],
    [["--quote=*site SBD=(x)"], "'SBD=(x)'"],
  ])("%j is --site", (typed, text) => {
    const { message, hint } = complaint(...typed, url);
    expect(message).toMatch(/: write --site TEXT$/);
    expect(hint).toBe(`write: ftpull --site ${text} ${url}`);
  });

  test.each([
    [["-b"], "nohup ftpull URL &"],
    [["-bqc"], "nohup ftpull -q -c URL &"],
    [["-b", "-o", "my dl.log"], "nohup ftpull URL 2> 'my dl.log' &"],
    [["-qb", "-O", "-", "-o", "dl.log"], "nohup ftpull -q -O - URL 2> dl.log &"],
  ])("%j goes on without its terminal", (typed, command) => {
    expect(complaint(...typed, url).hint).toBe(`write: ${command.replace("URL", url)}`);
  });

  test("all that is wrong is named", () => {
    const words = "--retry 4 --max-time 60 -fsSL -o out".split(" ");
    expect(complaint(...words, "ftp://u:secret@h/x y")).toEqual({
      message:
        'unknown option "--max-time": write timeout SECONDS ftpull; ' +
        "-f of another program: leave it out: a failure always has a status, and -f replaces files here; " +
        "-s of another program: write -q; " +
        'unknown option "-L": leave it out: it is for HTTP; ' +
        'unknown option "-o": write -O FILE (or 2> FILE for the messages)',
      hint: "write: FTPULL_PASSWORD='***' timeout 60 ftpull --retry 4 -q -O out 'ftp://u@h/x y'",
    });
    expect(complaint("--account=secret", "--usr=jane", "--quite", "--prog=none", url)).toEqual({
      message:
        'unknown option "--usr": did you mean --user?; ' +
        'unknown option "--quite": did you mean --quiet?',
      hint: `write: ftpull --account '***' --user jane --quiet --progress none ${url}`,
    });
  });

  test("what can't be written otherwise is named with the rest, without a command", () => {
    expect(complaint("-k", "-T", "x", "--format=xml", "-vq", "-l3", "--nothing", url)).toEqual({
      message:
        'unknown option "-k": write --no-check-certificate; unknown option "--nothing"; ' +
        '--timeout "x": expected a number of seconds above 0; ' +
        '--format "xml": expected names, table, json, urls or raw; ' +
        "--level is for --recursive, which is not given",
      hint: "see ftpull --help",
    });
  });

  test("no command that prints the help is proposed", () => {
    expect(complaint("-lh", url).hint).toBe("see ftpull --help");
  });

  test("of a word behind an option that takes none only the part before a colon is shown", () => {
    const { hint } = complaint("-k", "u:secret", url);
    expect(hint).toBe(`write: ftpull --no-check-certificate u ${url}`);
  });
});

const foreign = [...foreignOptions];

test("no option of the program is a foreign one, but for curl's flags", () => {
  const names = Object.values<OptionRecord>(options).flatMap(namesOf);
  expect(names.filter((name) => foreignOptions.has(name))).toEqual(["-l", "-R"]);
});

test.each(foreign)(
  "%s has an answer, and the command that it ends with is right",
  (name, { words, advice, argument }) => {
    const any = { "--interface": "::1", "--url": url, "-Q": "NOOP" }[name] ?? "7";
    const [option = "", value = any] = name.split(/=(.*)/s);
    const beside = { "-n": ["-q"], "-R": ["-J"] }[name] ?? []; // without these they are ftp's
    const typed = [option, ...(argument || name.includes("=") ? [value] : []), ...beside];
    if (advice === undefined) return expect(settings(...typed)).toBeDefined();
    const { message, hint = "" } = complaint(...typed, url);
    expect(message).toContain(
      `"${option}": ${advice}`.replace(/"(-[lRs])"/, "$1 of another program"),
    );
    if (words === undefined) return expect(hint).toBe("see ftpull --help");
    for (const argv of commandsIn(
      hint.replace(/^write: (?:nohup )?| 2>(?:>? |&)\S+/g, ""),
      "ftpull",
    ))
      expect(parseCommandLine(argv).action).toBe("run");
  },
);

test.each([
  [["--http-password", "secret"], 'unknown option "--http-password"'],
  [["-W", "secret"], 'unknown option "-W"'],
  [["-T", "-secret"], 'no argument for "-T, --timeout <seconds>"'],
  [["-k", "secret"], 'unknown option "-k": write --no-check-certificate'],
  [["-u", "-secret"], 'unknown option "-u": write --user NAME (and the variable FTPULL_PASSWORD, '],
  [["-P", "-secret"], 'no argument for "-P, --directory-prefix <dir>"'],
])("a word behind another program's option is not shown: %j", (words, message) => {
  const { message: shown, hint = "" } = complaint(...words, url);
  expect(shown).toMatch(message);
  expect(shown + hint).not.toContain("secret");
});

describe("curl's flags in one word", () => {
  test.each([
    ["-sSfL", "-O - -q"],
    ["-Ss", "-O - -q"],
    ["-s#", "-O - -q --progress bar"],
    ["-fOL", ""],
    ["-RO", ""],
    ["-Ofs", "-q"],
    ["-OC-", "-c"],
    ["-fOLC-", "-c"],
  ])("%s: %s", (word, written) => {
    const command = ["ftpull", ...(written === "" ? [] : [written]), url].join(" ");
    expect(complaint(word, url).hint).toBe(`write: ${command}`);
  });

  test("are no arguments where they can be told from them", () => {
    expect(settings("-OLatest.txt").outputDocument).toBe("Latest.txt");
    expect(settings("-O", "L").outputDocument).toBe("L");
    expect(settings("-OC").outputDocument).toBe("C");
    expect(settings("-f", "-O", "z")).toMatchObject({ force: true, outputDocument: "z" });
    expect(settings("-s4").segments).toBe(4);
    expect(settings("-Rgif").reject).toEqual(["gif"]);
    expect(settings("-rlinf").level).toBe(0);
    expect(settings("-mq")).toMatchObject({ mirror: true, quiet: true });
    expect(() => settings("-s0")).toThrow('--segments "0": expected a whole number above 0');
    expect(() => settings("-s", "")).toThrow('--segments "": expected a whole number above 0');
  });
});

describe("an option that curl has, too, is curl's where what follows can't be the argument here:", () => {
  const own =
    "leave it out: a file is saved under its own name (as x.1 if x is there; -f replaces it)";
  const time = "leave it out: files get the server's time";
  const upload = "there are no uploads";

  /** What is typed, what the message has, and the command. */
  const answers = rowsOf(`
-O -sSL ${url} | -O of another program: ${own} | ftpull -q ${url}
-qO -nc ${url} | -O of another program: ${own} | ftpull -q -nc ${url}
${url} -O | -O of another program: ${own} | ftpull ${url}
-R -O ${url} | -R of another program: ${time} & ${own} | ftpull ${url}
-sR ${url} | -R of another program: ${time} | ftpull -O - -q ${url}
-R ${url} | -R of another program: write -r | ftpull -r ${url}
-n ${url} | see --no-netrc for ftp's -n; curl's -n is the default
-n -L ${url} | "-L" | ftpull ${url}
-o d/e/x --create-dirs ${url} | mkdir -p makes | mkdir -p d/e && ftpull -O d/e/x ${url}
-O ${url}-[01-12].gz | -O of another | ftpull ${url}-{01..12}.gz
-O ${url}-[a-c].gz | -O of another | ftpull '${url}-[a-c].gz'
-sS --json -r ftp://h/d/ | -s of another | ftpull -q --json -r ftp://h/d/
-av rsync://h/d/ . | "-a": write -m | ftpull -nH --cut-dirs 1 -P . -m ftp://h/d/
-av ftp://h/d x/ | "-a": write -m | ftpull -P x/ -m ftp://h/d
-av rsync://u:p@h:873/d/ . | rsync: URLs are not fetched: by ftp: a server may have other paths | FTPULL_PASSWORD='***' ftpull -nH --cut-dirs 1 -P . -m ftp://u@h/d/
-m ftp://h/a/d/ b/d | write -P | ftpull -nH --cut-dirs 2 -P b/d -m ftp://h/a/d/
-m ftp://h/ x | "x" is neither
-m ftp://h/ ./x | write -P | ftpull -P ./x -m ftp://h/
-a --delete ftp://h/d /srv/d | write -P | ftpull -P /srv/d -m --delete ftp://h/d
-av ftp://h/ d/ | write -P | ftpull -nH -P d/ -m ftp://h/
mirror ftp://h/d x/ | write -P | ftpull -P x/ -m ftp://h/d
mirror ftp://h/d/ x/ | write -P | ftpull -nH --cut-dirs 1 -P x/ -m ftp://h/d/
mirror ftp://h/mirror mirror | write -P | ftpull -nH --cut-dirs 1 -P mirror -m ftp://h/mirror
-m -nH ftp://h/d d | write -P | ftpull -P d -m -nH ftp://h/d
-m ftp://h/a%2Fd d | write -P | ftpull -P d -m ftp://h/a%2Fd
-m ftp://h/d ftp://h/e/d d | write -P | ftpull -P d -m ftp://h/d ftp://h/e/d
-m ftp://h.org 2121 | "2121" is neither
-sS -z old -o d/x ${url} | write -O FILE
-L ftp://u:p@h/x ftp://v:q@g/x | "-L" | ftpull ftp://u@h/x ftp://v@g/x
-L --password s ftp://u:p@h/x | "-L" | ftpull ftp://u@h/x
-L --ask-password ftp://u:p@h/x | "-L" | ftpull --ask-password ftp://u@h/x
-L ftp://anonymous:me@h/x | "-L" | ftpull ftp://anonymous@h/x
-L -i ftp://u:s@h/list | "-L" | FTPULL_PASSWORD='***' ftpull -i ftp://u@h/list
--max-time 60 --password s ${url} | write timeout | FTPULL_PASSWORD='***' timeout 60 ftpull ${url}
-m -P a ftp://h/d/ x | "x" is neither
mirror -n -P4 ${url} | "mirror" | ftpull -m -j 4 ${url}
--exclude-from x ${url} | see -R for files
-L --create-dirs -o d/x ftp://u:p@h/x | mkdir -p makes | mkdir -p d && FTPULL_PASSWORD='***' ftpull -O d/x ftp://u@h/x
-i 'ftp://u:p@h/d/*.gz' | -i of another program: leave it out: it names a file of URLs, and no question is asked for each file | FTPULL_PASSWORD='***' ftpull 'ftp://u@h/d/*.gz'
-c --input-file=ftp://h/[ab] | --input-file of another program: leave it out | ftpull -c 'ftp://h/[ab]'
-L --type=a ${url} | "--type": see the typecode of a text, in quotes: ftpull 'URL;type=a'
--type=i ${url} | "--type": leave it out: binary is the default | ftpull ${url}
-n -i -v | -i of another program: scripts of ftp are not read
-a ${url} | "-a": see the typecode of a text, in quotes: ftpull 'URL;type=a'
-p -L ${url} | "-p": see --ask-password
-m -P mirror -R *.iso --compressed ${url} | "--compressed" | ftpull -m -P mirror -R '*.iso' ${url}
mirror -R dl ${url} | -R of another program: there are no uploads
mirror -e --parallel=4 ${url} /srv/dl | "-e": write --delete & -P DIRECTORY | ftpull -nH --cut-dirs 1 -P /srv/dl -m --delete -j 4 ${url}
-avP ${url} . | "-a": write -m | ftpull -P . -m ${url}
-e 'mirror -e /pub; bye' ${url} | with -m for mirror, and --delete for its -e
--max-time 60 -u j:secret ${url} | timeout SECONDS ftpull | FTPULL_PASSWORD='***' timeout 60 ftpull --user j ${url}
-w %{http_code} ${url} | -w of another program: write --json | ftpull --json ${url}
-o -L ${url} | "-o": write -O FILE
-u -O ${url} | "-u": write --user NAME
-S -s ${url} | -s of another program: write -q | ftpull -O - -q ${url}
-T a.txt ${url} | -T of another program: ${upload}
-T- ${url} | --timeout
-T README ${url} | -T of another program: ${upload}
-r 0-99 ${url} | -r of another program: there are no ranges; for
-mkEpnp ${url} | "-k": leave it out & "-E": leave & "-p": leave | ftpull -m -np ${url}
-o a ${url} -o b ${url} | each file needs a command of its own
-O ${url} -o b ${url} | each file needs a command of its own
--output-dir dl -o f ${url} | write -P & -O FILE | mkdir -p dl && ftpull -O dl/f ${url}
-fsSL --output-dir dl -O ${url} | write -P | ftpull -q -P dl ${url}
-O ${url}.{4,5}.gz | -O of another | ftpull ${url}.{4,5}.gz
${url} ./x | "./x" is neither an option nor a URL: write -O FILE | ftpull -O ./x ${url}
${url} new.bin | write -O FILE | ftpull -O new.bin ${url}
report.csv ftp://h/in/ | "report.csv" is neither
--glob=on -L ${url} | "-L" | ftpull --glob on ${url}
-F ${url} | "-F": leave it out: passive mode is the default | ftpull ${url}
-m -P4 ftp://h/d/ | -P of another program: write -j | ftpull -m -j 4 ftp://h/d/
-m -x 01 ftp://h/d/ | see -R for files, -R 'NAME/' for directories
${url} -OC - | -O of another program: ${own} | ftpull ${url} -c
-LOC - ${url} | -O of another program: ${own} | ftpull -c ${url}
-fC - -O ${url} | "-C": write -c | ftpull -c ${url}
-fsS -z x -R -O ${url} | "-z": write -N | ftpull -q -N ${url}
-f -c -s ${url} | -f of another program: leave it out: a failure always has a status | ftpull -O - -c -q ${url}
-f -N -s ${url} | -f of another program & -s of another program | ftpull -O - -q ${url}
-q -s -O ${url} | -s of another program: write -q | ftpull -q ${url}
-f -S -L -o f ${url} | "-L": leave it out | ftpull -O f ${url}
-o dl/x ${url} | -o | ftpull -O dl/x ${url}
-o x.log ${url}.log | may be a log or a document
${url}.log -qo x.log | may be a log or a document
-s -o x.log ${url}.log | write -O FILE | ftpull -q -O x.log ${url}.log
-t 1 -fsSL -o x ${url} | write -O FILE | ftpull -t 1 -q -O x ${url}
-sS -o a.log ${url} | write -O FILE | ftpull -q -O a.log ${url}
-u j:secret -o a.log ${url} | write -O FILE | FTPULL_PASSWORD='***' ftpull --user j -O a.log ${url}
-C - -o a.log ${url} | write -O FILE | ftpull -c -O a.log ${url}
-nv -o a.log ${url} | write 2> FILE | ftpull -nv ${url} 2> a.log
-sS -o f_#1.log ${url}0[1-3].log | leave it out: there are no #1 names, a file keeps its own (-P DIRECTORY) | ftpull -q '${url}0[1-3].log'
-e robots=off -U Mozilla -4 -k -p ${url} | "-U": leave & "-k": leave it out: it is for HTML & "-p": leave it out: it is for HTML | ftpull -4 ${url}
-nv -k ${url} | "-k": leave it out: it is for HTML | ftpull -nv ${url}
-U u:secret -k -O ${url} | "-k": write --no-check-certificate | ftpull --no-check-certificate ${url}
--allow-overwrite=true --auto-file-renaming=false ${url} | "--auto-file-renaming": leave it out | ftpull -f ${url}
-c --allow-overwrite=true --auto-file-renaming=false ${url} | --continue and --force contradict each other
-avz --delete --exclude 1.9 ${url} | "-a": write -m & --exclude
-n -av ${url} | "-n": write --spider & "-a": write -m | ftpull --spider -m ${url}
-nav ${url} | "-n": write --spider | ftpull --spider -m ${url}
-A ${url} | -A of another program: write --active | ftpull --active ${url}
-W 'SITE UMASK 022' ${url} | "-W": write --site | ftpull --site 'UMASK 022' ${url}
-J ACCT ${url} | "-J": write --account NAME | ftpull --account '***' ${url}
--netrc=bank ${url} | write --netrc-file | ftpull --netrc-file bank ${url}
-n -i 10.0.0.1 2121 | -i of another program: leave it out
-R -u frank ftp://h/d | -R of another program: write -r & "-u": write --user | ftpull -r --user frank ftp://h/d
-R 10.0.0.1:2121 . /d/e | -R of another program: write -r
-m -I '*.gz' ftp://h/d/ | write -A GLOB | ftpull -m -A '*.gz' ftp://h/d/
mirror -i '[.]deb$' ftp://h/d | "mirror" is neither an option nor a URL & -i of another program: see -A and -R
mirror -x '^pool/' ftp://h/d | "mirror" is neither an option nor a URL & -x of another program: see -R for files
-r -x '[.]deb$' ftp://h/d/ | -x of another program: see -R for files
-r ftp://h/d/ '*.deb' | "*.deb" is neither an option nor a URL
ls -l ftp://h/d/ | "ls" is neither an option nor a URL & write --format table | ftpull --format table ftp://h/d/
-u frank -p secret -P 12168 10.0.0.1 . /d/x | -p": write FTPULL_PASSWORD & put the port into the URL
-e 'mirror -I *.gz' ftp://h/d/ | scripts of lftp are not read
-r -v --parallel=4 ftp://h/d/ | -v of another program: leave it out & --parallel | ftpull -r -j 4 ftp://h/d/
-r --update ftp://h/d/ | write -N | ftpull -r -N ftp://h/d/
mirror -e --parallel=4 -v ftp://h/d | -v of another program: leave it out & --parallel | ftpull -m --delete -j 4 ftp://h/d
-rtlvH --delete ftp://h/d/ | write -m | ftpull -r -m --delete ftp://h/d/
-c 'open ftp://h; mirror /d' | -c of another program: scripts of lftp are not read
-f login.cfg ${url} | -f of another program: put user and password into a netrc file
-f login.cfg /in/ '/logs/*' | -f of another program: put user and password into a netrc file
--list -r ftp://h/d/ | write --spider | ftpull --spider -r ftp://h/d/
--use-pget-n=4 --max-tries=3 ${url} | write -s & write -t | ftpull -s 4 -t 3 ${url}
-fL ${url} | -f of another program & "-L" & curl writes to standard output | ftpull -O - ${url}
--netrc --retry 5 --connect-timeout 10 -O ${url} | -O of another program | ftpull --connect-timeout 10 --netrc --retry 5 ${url}
-sn ${url} -o - | "-n": leave it out: ~/.netrc is read & -s of another program | ftpull -q ${url} -O -
-O ftp.h.org/x | -O of another program | ftpull ftp.h.org/x
--user frank:secret ${url} | --user of another program: write --user NAME | FTPULL_PASSWORD='***' ftpull --user frank ${url}
-s ftp://h/d/ | curl prints the server's lines: that is --format raw | ftpull --format raw -q ftp://h/d/
-sl ftp://h/d/ | write --format names | ftpull -q --format names ftp://h/d/
-s ftp://h/d/ --json | for a listing, --json is --format json | ftpull --format json -q ftp://h/d/
-s --json -l ftp://h/d/ | for a listing, --json is --format json | ftpull --format json -q ftp://h/d/
--password-stdin --tlsv1.2 --skip-existing ${url} | write --password-file - | ftpull --password-file - -nc ${url}
--list --json ftp://h/d/ | "--list": leave it out & --json is --format json | ftpull --format json ftp://h/d/
-O ftp://h/{10,11}/a.log | -O of another program | ftpull ftp://h/{10,11}/a.log
-O ftp://h/[01-12]/a-[01-12].log | -O of another program | ftpull ftp://h/{01..12}/a-{01..12}.log
-e 'mirror -e --parallel=4 /d d; quit' ftp://h/ | scripts of lftp are not read
-aq --delete --exclude=*.iso ftp://h/d/ | -a": write -m & --exclude": write -R | ftpull -m -q --delete -R '*.iso' ftp://h/d/
-rltvH --delete-delay --safe-links ftp://h/d/ | links are kept & --delete-delay": nothing is deleted on the server
--check-certificate=false ftps://h/x | write --no-check-certificate | ftpull --no-check-certificate ftps://h/x
-p 2121 -u frank 10.0.0.1 | put the port into the URL
-Q '-DELE x' ${url} | nothing is changed on a server
-R -o x.bin ${url} | -R of another program: ${time} & write -O FILE | ftpull -O x.bin ${url}
-P - -o x ${url} | -P of another program: write --active & write -O FILE | ftpull --active -O x ${url}
-sS -o x https://h/x | https: and sftp: URLs are not fetched
-m --size-only ${url} | leave it out: size and time are compared | ftpull -m ${url}
-avzn --delete ${url} | "-a": write -m --spider | ftpull -m --spider --delete ${url}
-sI ${url} | -s of another program: leave it out: -q --spider prints nothing & "-I": write --spider | ftpull --spider ${url}
-inv 127.0.0.1 | -i of another program: scripts of ftp are not read
-s:script.ftp h.org | -s of another program: scripts of ftp are not read
-x16 ${url} | -x of another program: write -s NUMBER | ftpull -s 16 ${url}
-x 4 -s 4 -d dl -o f -c ${url} | -x of another program: leave it out & "-d": write -P DIRECTORY & write -O FILE | mkdir -p dl && ftpull -s 4 -O dl/f -c ${url}
-s ${url} -o f | -s of another program: write -q | ftpull -q ${url} -O f
${url} -s | -s of another program: write -q | ftpull -O - ${url} -q
-l -s ${url} | -l of another program: write --format names | ftpull --format names -q ${url}
-r -l ${url} | -l of another program & --recursive and --format contradict each other
`);

  test.each(answers)("%s | %s", (typed = "", answer = "", command) => {
    const { message, hint } = complaint(...wordsOf(typed));
    for (const words of answer.split(" & ")) expect(message).toContain(words);
    if (command === undefined) expect(hint ?? "").not.toContain("write:");
    else expect(hint).toBe(`write: ${command}`);
  });
});

test.each([["-H"], ["-e"], ["--cert"], ["--cacert"]])(
  "an ftp: URL is no argument of %s, which has lost its own",
  (option) => {
    const { message, hint } = complaint(option, url);
    expect(message).toMatch(`unknown option "${option}": `);
    expect(message).not.toContain("no URL given");
    expect(hint).toBe(/cert/.test(option) ? "see ftpull --help" : `write: ftpull ${url}`);
  },
);

test.each([
  [["-u", "jane:me@example.org"], "FTPULL_PASSWORD='***' ftpull --user jane"],
  [["--user=jane", "--password=me@example.org"], "FTPULL_PASSWORD='***' ftpull --user jane"],
  [["-u", "anonymous:secret"], "ftpull --user anonymous"],
  [["--user=jane", "--password", "-osecret"], "FTPULL_PASSWORD='***' ftpull --user jane"],
  [["--ftp-account", "secret"], "ftpull --account '***'"],
])("a password is shown nowhere: %j", (words, written) => {
  expect(complaint(...words, url).hint).toBe(`write: ${written} ${url}`);
});

test("options that are only proposed aren't said to contradict each other", () => {
  expect(complaint("-z", "old", "-o", "f", url)).toEqual({
    message:
      'unknown option "-z": write -N (which also replaces a file of another size; with -P DIRECTORY, not -O FILE); ' +
      'unknown option "-o": write -O FILE (or 2> FILE for the messages)',
    hint: "see ftpull --help",
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
    "ftpull: -l of another program: write --format names (a directory's name ends in /; --format table has all facts)\n" +
    "hint: write: FTPULL_PASSWORD='***' ftpull --format names ftp://u@h/pub/\n";
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
});

test.each([
  ["-O", ["-O", "ftp://u:secret@h/x"]],
  ["-O", ["-Oftp://u:secret@h/x"]],
  ["--output-document", ["--output-document=ftp://u:secret@h/x"]],
])("%s with a URL for its file is an error without its password", async (option, words) => {
  for (const urls of [[], ["ftp://127.0.0.1/x"]]) {
    const stderr =
      `ftpull: ${option} of another program: leave it out: a file is saved under its own name (as x.1 if x is there; -f replaces it)\n` +
      `hint: write: ${["FTPULL_PASSWORD='***' ftpull", "ftp://u@h/x", ...urls].join(" ")}\n`;
    expect(await run([...words, ...urls])).toMatchObject({ status: 2, stdout: "", stderr });
  }
});

test.each([
  [["-sS", url], true],
  [["-fsSL", url], true],
  [["-L", url], false],
  [["-k", url], false],
  [["-sS", "-L", "ftp://h/pub/"], false],
  [["-sS", "-O", url], false],
  [["-s", "-o", "f", url], false],
  [["-sSOL", url], false],
  [["-s", "-C", "-", url], false],
  [["-sI", url], false],
  [["-s", "-np", url], false],
  [["-k1M", "-Z", url], false],
])("curl's standard output is named for %j: %s", (words, isNamed) => {
  const { message, hint } = complaint(...words);
  const named = "; curl writes to standard output: that is -O -, else a file is saved";
  expect([message.endsWith(named), hint?.includes(" -O - ")]).toEqual([isNamed, isNamed]);
});

test("the program understands wget's words and fetches the file", async () => {
  const server = await startServer({ files: { x: "text" } });
  const words = ["-q", "-np", "--passive-ftp", "-O", "-", server.url("/x")];
  expect(await run(words)).toMatchObject({ status: 0, stdout: "text", stderr: "" });
});

test.each([
  [
    ["-u", "jane:secret"],
    'unknown option "-u": write --user NAME (and the variable FTPULL_PASSWORD, or --password-file FILE)',
    "FTPULL_PASSWORD='***' ftpull --user jane",
  ],
  [
    ["-sS", "-C", "-"],
    '-s of another program: write -q; unknown option "-C": write -c',
    "ftpull -q -c",
  ],
])(
  "the program explains %j with status 2, sends nothing and writes no file",
  async (words, message, written) => {
    const server = await startServer({ files: { x: "text" } });
    const stderr = `ftpull: ${message}\nhint: write: ${written} ${server.url("/x")}\n`;
    const result = await run([...words, server.url("/x")]);
    expect(result).toMatchObject({ status: 2, stdout: "", stderr });
    expect(server.commands).toEqual([]);
  },
);

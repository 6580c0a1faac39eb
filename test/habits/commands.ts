/**
 * Commands as public scripts have them (genome archives, weather, mirrors, devices, builds, nightly
 * jobs), what wget, curl or lftp makes of each, and what this program is to make of the same words.
 *
 * Measured with GNU Wget 1.21.3, curl 7.88.1 and lftp 4.9.2 (Debian 12) against vsftpd 3.0.3, and
 * again against ProFTPD 1.3.8. Left out of what they leave: wget's .listing and its logs, lftp's reports,
 * and directories.
 */
import { basename } from "node:path";
import { archive } from "./archive.ts";

/** What a command leaves. Files are by their paths, with their states as archive.ts names them. */
export interface Outcome {
  /** Default 0. */
  readonly status?: number;
  /** Its state or kind; default: nothing. */
  readonly stdout?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** The same is expected here, unless `otherwise` or `refused` says what is, and why. */
export interface HabitualCommand {
  /** As in a script; HOST, PIN and PASSWORD stand for the server's. */
  readonly typed: string;
  /** The files that are here before. */
  readonly before?: Readonly<Record<string, string>>;
  /** Files of URLs. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  readonly tls?: "explicit" | "implicit";
  readonly peer: Outcome;
  /** Done in another way, on purpose. */
  readonly otherwise?: Outcome & { readonly why: string };
  /** An error that has these words. */
  readonly refused?: readonly string[];
  /** Of that error; default 2. */
  readonly status?: number;
  /** What to type here for the same, as the error proposes it; always for lftp. */
  readonly instead?: string;
}

/** The words of a command, of which some are in single quotes. */
export function wordsOf(typed: string): string[] {
  return [...typed.matchAll(/'([^']*)'|[^ ]+/g)].map(([word, quoted]) => quoted ?? word);
}

/** All files below a directory of the server, placed below a prefix, without what begins so. */
function below(prefix: string, directory: string, ...without: string[]): Record<string, string> {
  const inside = Object.keys(archive).filter((pathname) => pathname.startsWith(directory));
  const names = inside.map((pathname) => pathname.slice(directory.length));
  const left = names.filter((name) => !without.some((beginning) => name.startsWith(beginning)));
  return Object.fromEntries(left.map((name) => [prefix + name, directory + name]));
}

/** These files of the server, all in one folder. */
function into(folder: string, ...pathnames: string[]): Record<string, string> {
  return Object.fromEntries(pathnames.map((pathname) => [folder + basename(pathname), pathname]));
}

const inPub = Object.values(below("", "pub/"));

const ownName: Outcome = { files: { "a.gz": "pub/a.gz" } };

const places = "-r begins at the URL's last directory; with -x the places are wget's";
const toFile = "a document goes to a file: -O - prints it";
const genomeNames = "names chr1.fa.gz chr10.fa.gz chr2.fa.gz md5sum.txt";
const pipe = "names go into a pipe; --format raw prints the server's lines";
const fromVariable = "the password comes from FTPULL_PASSWORD";

export const commands: readonly HabitualCommand[] = [
  // what scripts for wget begin with
  {
    typed: "wget ftp://HOST/pub/a.gz",
    before: { "a.gz": "older pub/a.gz" },
    peer: { files: { "a.gz": "older pub/a.gz", "a.gz.1": "pub/a.gz" } },
  },
  {
    typed: "wget -nc ftp://HOST/pub/a.gz",
    before: { "a.gz": "older pub/a.gz" },
    peer: { files: { "a.gz": "older pub/a.gz" } },
  },
  { typed: "wget -qO- ftp://HOST/pub/a.gz", peer: { stdout: "pub/a.gz" } },
  { typed: "wget -q ftp://HOST/pub/none", peer: { status: 8 } },
  {
    typed: "wget ftp://HOST/release/latest.gz",
    peer: { files: { "latest.gz": "release/113.gz" } },
  },
  {
    typed: "wget ftp://HOST/genome/",
    peer: { files: { "index.html": "other" } },
    otherwise: {
      stdout: genomeNames,
      why: "a directory's names are printed, not saved as index.html",
    },
  },
  {
    typed: "wget --spider ftp://HOST/pub/a.gz",
    peer: { status: 8 },
    otherwise: {
      stdout: "other",
      why: "wget 1.21.3 exits with 8 though it says that the file exists",
    },
  },
  {
    typed: "wget -O both ftp://HOST/pub/a.gz ftp://HOST/pub/b.gz",
    peer: { files: { both: "pub/a.gz + pub/b.gz" } },
  },
  {
    typed:
      "wget --no-verbose --tries=3 --timeout=20 --continue --directory-prefix=dl ftp://HOST/pub/a.gz",
    peer: { files: { "dl/a.gz": "pub/a.gz" } },
  },
  {
    typed: "wget -t 0 -T 0 ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["expected a number of seconds above 0"],
  },
  {
    typed: "wget --tries=inf --waitretry=5 --retry-connrefused ftp://HOST/pub/a.gz",
    peer: ownName,
  },
  {
    typed:
      "wget -e robots=off --no-remove-listing --show-progress --progress=dot:giga --read-timeout=20 ftp://HOST/pub/a.gz",
    peer: ownName,
  },
  {
    typed: "wget --passive-ftp -c -q --show-progress -O pkg.part ftp://HOST/pub/a.gz",
    before: { "pkg.part": "half pub/a.gz" },
    peer: { files: { "pkg.part": "pub/a.gz" } },
  },
  {
    typed: "wget -P dir/sub -nv -x -nH ftp://HOST/pub/sub/c.gz",
    peer: { files: { "dir/sub/pub/sub/c.gz": "pub/sub/c.gz" } },
  },
  {
    typed: "wget --limit-rate=500k -a wget.log -nv ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["write 2>> FILE"],
    instead: "ftpull --limit-rate 500k 2>> wget.log -nv ftp://HOST/pub/a.gz",
  },
  {
    typed: "wget -N -nv -o /dev/null ftp://HOST/pub/a.gz",
    before: { "a.gz": "older pub/a.gz" },
    peer: ownName,
    refused: ["2> FILE"],
    instead: "ftpull -N -nv 2> /dev/null ftp://HOST/pub/a.gz",
  },
  {
    typed: "wget --wait=0.1 --random-wait -i list",
    lists: { list: ["ftp://HOST/pub/a.gz", "ftp://HOST/pub/b.gz"] },
    peer: { files: into("", "pub/a.gz", "pub/b.gz") },
  },
  { typed: "wget --bind-address=127.0.0.2 ftp://HOST/pub/a.gz", peer: ownName },
  {
    typed: "wget -nc -O X.gz ftp://HOST/pub/a.gz",
    before: { "X.gz": "older pub/a.gz" },
    peer: { status: 1, files: { "X.gz": "older pub/a.gz" } },
    otherwise: { files: { "X.gz": "older pub/a.gz" }, why: "a skipped document is no failure" },
  },
  {
    typed: "wget -N ftp://HOST/pub/a.gz -O X.gz",
    before: { "X.gz": "older pub/a.gz" },
    peer: { files: { "X.gz": "pub/a.gz" } },
    refused: ["--timestamping and --output-document contradict each other"],
  },
  {
    typed: "wget -q ftp://HOST/pub/none ftp://HOST/pub/a.gz",
    peer: { status: 8, files: { "a.gz": "pub/a.gz" } },
  },
  {
    typed: "wget -e use_proxy=yes -e ftp_proxy=http://127.0.0.1:9 -t 1 ftp://HOST/pub/a.gz",
    peer: { status: 4 },
    refused: ["-e"],
    instead: "ftpull --proxy http://127.0.0.1:9 -t 1 ftp://HOST/pub/a.gz",
  },
  {
    typed: "wget -Y off ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["write --no-proxy"],
    instead: "ftpull --no-proxy ftp://HOST/pub/a.gz",
  },
  {
    typed: "wget -c -nc -q ftp://HOST/pub/a.gz",
    before: { "a.gz": "half pub/a.gz" },
    peer: { files: { "a.gz": "half pub/a.gz" } },
    refused: ["--continue and --no-clobber contradict each other"],
  },
  { typed: "wget -q --proxy=off ftp://HOST/pub/a.gz", peer: ownName },
  // genome archives
  // wget asks by HTTP, which these archives serve too; here it is FTP.
  {
    typed: "wget -t 5 -nv -c -T 60 -O X.gz HOST/pub/a.gz",
    peer: { files: { "X.gz": "pub/a.gz" } },
  },
  // wget asks by HTTP, which these archives serve too; here it is FTP.
  {
    typed: "wget -nv -c -i urls.txt",
    lists: { "urls.txt": ["HOST/pub/a.gz", "HOST/pub/b.gz"] },
    peer: { files: into("", "pub/a.gz", "pub/b.gz") },
  },
  {
    typed: "wget -c ftp://HOST/pub/a.gz -O GCF.gz",
    before: { "GCF.gz": "half pub/a.gz" },
    peer: { files: { "GCF.gz": "pub/a.gz" } },
  },
  { typed: "wget -c -N ftp://HOST/pub/a.gz", before: { "a.gz": "half pub/a.gz" }, peer: ownName },
  {
    typed: "wget -cNr -nH ftp://HOST/pub/",
    before: {
      "pub/a.gz": "half pub/a.gz",
      "pub/b.gz": "pub/b.gz",
      "pub/sub/c.gz": "older pub/sub/c.gz",
    },
    peer: { files: below("pub/", "pub/") },
  },
  {
    typed: "wget --timestamping 'ftp://HOST/genome/*'",
    before: { "chr1.fa.gz": "genome/chr1.fa.gz", "chr2.fa.gz": "older genome/chr2.fa.gz" },
    peer: { files: below("", "genome/") },
  },
  {
    typed: "wget --timestamping 'ftp://HOST/genome/chr?.fa.gz'",
    peer: { files: into("", "genome/chr1.fa.gz", "genome/chr2.fa.gz") },
    refused: ["begins a query"],
    status: 8,
    instead: "ftpull -N 'ftp://HOST/genome/chr[0-9].fa.gz'",
  },
  {
    typed: "wget -q 'ftp://HOST/genome/*.zip'",
    peer: {},
    otherwise: { status: 8, why: "a pattern that matches nothing is a failure" },
  },
  {
    typed: "wget --passive-ftp 'ftp://HOST/genome/chr1.*.gz' -O all.gz -a log",
    peer: { files: { "all.gz": "genome/chr1.fa.gz" } },
    refused: ["write 2>> FILE"],
    instead: "ftpull 'ftp://HOST/genome/chr1.*.gz' -O all.gz 2>> log",
  },
  {
    typed: "wget -r -nd -np -A '*.gz' ftp://HOST/pub/",
    peer: { files: into("", ...inPub.filter((path) => path.endsWith(".gz"))) },
  },
  {
    typed: "wget -r -nd ftp://HOST/pub/sub/ -P SDF",
    peer: { files: into("SDF/", "pub/sub/c.gz", "pub/sub/c.txt", "pub/sub/deep/d.gz") },
  },
  { typed: "wget -r -nd ftp://HOST/pub/a.gz", peer: ownName },
  {
    typed: "wget -r --no-parent -A 'chr*.fa.gz' ftp://HOST/genome/",
    peer: { files: below("HOST/genome/chr", "genome/chr") },
    otherwise: {
      files: below("genome/chr", "genome/chr"),
      why: places,
    },
  },
  {
    typed: "wget --recursive --no-parent ftp://HOST/pub/sub/ -P data",
    peer: { files: below("data/HOST/pub/sub/", "pub/sub/") },
    otherwise: { files: below("data/sub/", "pub/sub/"), why: places },
  },
  {
    typed: "wget -c -r -nH --cut-dirs=1 --no-parent --execute robots=off ftp://HOST/pub/sub",
    peer: { files: below("sub/", "pub/sub/") },
  },
  {
    typed: "wget -nH --cut-dirs=1 -A 'chr*.gz' -R 'chr10*,chr2*' -m -np ftp://HOST/genome/",
    peer: { files: { "chr1.fa.gz": "genome/chr1.fa.gz" } },
  },
  {
    typed: "wget -r -nH ftp://HOST/release/",
    peer: { files: { "release/113.gz": "release/113.gz", "release/latest.gz": "release/113.gz" } },
    otherwise: {
      files: {
        "release/113.gz": "release/113.gz",
        "release/latest.gz": "release/113.gz",
        ...below("release/current/", "pub/sub/"),
      },
      why: "linked directories are entered",
    },
  },
  {
    typed: "wget -r -nH ftp://HOST/release/current/",
    peer: { files: below("release/current/", "pub/sub/") },
  },
  {
    typed: "wget --user=anonymous --password=me@example.org ftp://HOST/pub/a.gz",
    peer: ownName,

    instead: "ftpull --user anonymous ftp://HOST/pub/a.gz",
    refused: ["--password"],
  },
  {
    typed: "wget -q --no-remove-listing --spider ftp://HOST/genome/",
    peer: {},
    otherwise: { stdout: "other", why: "no .listing is written: --format raw prints it" },
  },
  // weather
  {
    typed: "wget -N -r -l inf -nH --cut-dirs=2 ftp://HOST/pub/sub/",
    peer: { files: below("", "pub/sub/") },
  },
  {
    typed: "wget -N -r -l 8 --no-remove-listing -nH --cut-dirs=3 -A .gz ftp://HOST/pub/sub/",
    peer: { files: into("", "pub/sub/c.gz", "pub/sub/deep/d.gz") },
  },
  {
    typed: "wget -r --cut-dirs 100 --no-parent -nH -A '*.gz' 'ftp://HOST/genome/*.gz'",
    peer: { files: below("chr", "genome/chr") },
  },
  {
    typed: "wget -r -nH --cut-dirs=100 ftp://HOST/pub/sub/",
    peer: { files: into("", "pub/sub/c.gz", "pub/sub/c.txt", "pub/sub/deep/d.gz") },
  },
  {
    typed: "wget -r -l1 --no-parent -A.gz -nH ftp://HOST/pub/",
    peer: { files: into("pub/", "pub/a.gz", "pub/b.gz") },
  },
  {
    typed: "wget -nc -nd -np -r -l1 -P DWD -A .gz ftp://HOST/genome/",
    before: { "DWD/chr1.fa.gz": "older genome/chr1.fa.gz" },
    peer: {
      files: {
        "DWD/chr1.fa.gz": "older genome/chr1.fa.gz",
        "DWD/chr10.fa.gz": "genome/chr10.fa.gz",
        "DWD/chr2.fa.gz": "genome/chr2.fa.gz",
      },
    },
  },
  {
    typed: "wget -r -nH --cut-dirs=1 --continue --no-remove-listing 'ftp://HOST/pub/sub/*' -P clp",
    peer: { files: below("clp/sub/", "pub/sub/") },
  },
  {
    typed:
      "wget --ftp-user=frank --ftp-password=PASSWORD -A '*.gz' -N -r -l1 -e robots=off --no-parent -nd ftp://HOST/pub/",
    peer: { files: into("", "pub/a.gz", "pub/b.gz") },
    refused: ["--ftp-password", "FTPULL_PASSWORD"],
  },
  // mirrors and nightly jobs
  {
    typed: "wget -m ftp://HOST/genome/",
    peer: { files: below("HOST/genome/", "genome/") },
    otherwise: { files: below("genome/", "genome/"), why: places },
  },
  {
    typed: "wget -m -x ftp://HOST/genome/",
    before: { "HOST/genome/chr1.fa.gz": "older genome/chr1.fa.gz" },
    peer: { files: below("HOST/genome/", "genome/") },
  },
  {
    typed: "wget -m --no-passive ftp://HOST/genome/",
    peer: { files: below("HOST/genome/", "genome/") },
    otherwise: { files: below("genome/", "genome/"), why: places },
  },
  {
    typed:
      "wget -erobots=off -nv -m -np -nH --cut-dirs=1 --reject 'index.html*' ftp://HOST/pub/sub/",
    peer: { files: below("sub/", "pub/sub/") },
  },
  {
    typed: "wget -r -nH -X /pub/old,/pub/tmp ftp://HOST/pub/",
    peer: { files: below("pub/", "pub/", "old/", "tmp/") },
  },
  {
    typed: "wget -r -nH -X genome,pub/old,release -N -q -P site ftp://HOST/",
    peer: { files: below("site/pub/", "pub/", "old/") },
  },
  { typed: "wget -r -nH -X old,tmp ftp://HOST/pub/", peer: { files: below("pub/", "pub/") } },
  {
    typed: "wget -r -nH -I /pub/sub ftp://HOST/pub/",
    peer: { files: below("pub/", "pub/", "old/", "tmp/") },
    refused: ["a URL for each directory"],
  },
  {
    typed:
      "wget --mirror --no-host-directories --cut-dirs=1 --directory-prefix=x ftp://HOST/pub/sub/",
    peer: { files: below("x/sub/", "pub/sub/") },
  },
  { typed: "wget -r -nH -A '*.zip' ftp://HOST/pub/", peer: { status: 0 } },
  {
    typed: "wget -r -nH --level=1 --accept '*.gz' --reject 'chr10*' ftp://HOST/genome/",
    peer: { files: into("genome/", "genome/chr1.fa.gz", "genome/chr2.fa.gz") },
  },
  // devices, and servers that know their users
  {
    typed: "wget --ftp-user=frank ftp://HOST/pub/a.gz",
    peer: { status: 6 },
    otherwise: { ...ownName, why: fromVariable },
  },
  {
    typed: "wget --ftp-user=frank -r -nH ftp://HOST/pub/sub",
    peer: { status: 6 },
    otherwise: { files: below("pub/sub/", "pub/sub/"), why: fromVariable },
  },
  {
    typed: "wget --ftp-user=frank --ftp-password=PASSWORD ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["--ftp-password", "FTPULL_PASSWORD"],
  },
  {
    typed: "wget --no-check-certificate ftps://HOST/pub/a.gz",
    tls: "explicit",
    peer: ownName,
    otherwise: { status: 5, why: "ftps: is implicit TLS, as in curl; a hint names ftpes:" },
  },
  {
    typed: "wget --ftps-implicit --pinnedpubkey=PIN ftps://HOST/pub/a.gz",
    tls: "implicit",
    peer: { status: 5 },
    otherwise: { ...ownName, why: "a pinned key needs no authority" },
  },
  {
    typed: "wget --ftps-implicit --no-check-certificate --pinnedpubkey=PIN ftps://HOST/pub/a.gz",
    tls: "implicit",
    peer: ownName,
  },
  {
    typed:
      "wget --ftps-implicit --no-check-certificate --pinnedpubkey=sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= ftps://HOST/pub/a.gz",
    tls: "implicit",
    peer: { status: 5 },
  },
  {
    typed: "curl --pinnedpubkey PIN -k -o a.gz ftps://HOST/pub/a.gz",
    tls: "implicit",
    peer: ownName,
    refused: ["write --no-check-certificate", "write -O FILE"],
    instead: "ftpull --pinnedpubkey PIN --no-check-certificate -O a.gz ftps://HOST/pub/a.gz",
  },
  {
    typed: "curl -k --ftp-ssl-reqd ftps://frank:PASSWORD@HOST/genome/",
    tls: "implicit",
    peer: { stdout: "lines of LIST" },
    otherwise: { stdout: genomeNames, why: pipe },
    refused: ["write --no-check-certificate"],
    instead: "ftpull --no-check-certificate --tls ftps://frank@HOST/genome/",
  },
  {
    typed: "curl -k --ftp-ssl ftps://frank:PASSWORD@HOST/genome/ --list-only",
    tls: "implicit",
    peer: { stdout: genomeNames },
    refused: ["write --no-check-certificate", "write --tls"],
    instead: "ftpull --no-check-certificate --tls ftps://frank@HOST/genome/ --format names",
  },
  {
    typed: "curl -u frank:PASSWORD -O ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["write --user NAME"],
    instead: "ftpull --user frank ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -u anonymous:me@example.org -k -O --ftp-ssl ftp://HOST/pub/a.gz",
    tls: "explicit",
    peer: ownName,

    instead: "ftpull --user anonymous --no-check-certificate --tls ftp://HOST/pub/a.gz",
    refused: ["-u", "-k", "--ftp-ssl", "saved under its own name"],
  },
  // what scripts for curl begin with
  {
    typed: "curl ftp://HOST/pub/a.gz",
    peer: { stdout: "pub/a.gz" },
    otherwise: { ...ownName, why: toFile },
  },
  {
    typed: "curl -N ftp://HOST/pub/a.gz",
    peer: { stdout: "pub/a.gz" },
    otherwise: { ...ownName, why: toFile },
  },
  {
    typed: "curl ftp://HOST/genome/",
    peer: { stdout: "lines of LIST" },
    otherwise: { stdout: genomeNames, why: pipe },
  },
  {
    typed: "curl -O ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["saved under its own name"],
    instead: "ftpull ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -sSfLO ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["write -q"],
    instead: "ftpull -q -f ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -OsSL ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["saved under its own name"],
    instead: "ftpull -q ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -OR ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["saved under its own name"],
    instead: "ftpull ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl --retry 4 -O ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["saved under its own name"],
    instead: "ftpull --tries 5 ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl --speed-limit 1000 --speed-time 30 -O ftp://HOST/pub/a.gz",
    peer: ownName,
    instead: "ftpull --speed-limit 1000 --speed-time 30 ftp://HOST/pub/a.gz",
    refused: ["saved under its own name"],
  },
  {
    typed: "curl -y 30 -Y 1000 -O ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["saved under its own name"],
    instead: "ftpull --speed-time 30 --speed-limit 1000 ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl --interface 127.0.0.2 ftp://HOST/pub/a.gz",
    peer: { stdout: "pub/a.gz" },
    otherwise: { ...ownName, why: toFile },
  },
  {
    typed: "curl -fsSL --retry 4 --max-time 60 -o out ftp://HOST/pub/a.gz",
    peer: { files: { out: "pub/a.gz" } },
    refused: ["write -q", "-L", "timeout SECONDS", "write -O FILE"],
    instead: "timeout 60 ftpull -f -q --tries 5 -O out ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl --fail --silent --show-error --location --output out ftp://HOST/pub/a.gz",
    peer: { files: { out: "pub/a.gz" } },
    refused: ["--silent", "--location"],
    instead: "ftpull -q --output-document out ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -s ftp://HOST/pub/a.gz -o left.gz --retry 10 -C -",
    before: { "left.gz": "half pub/a.gz" },
    peer: { files: { "left.gz": "pub/a.gz" } },
    refused: ["write -q", "write -O FILE", "write -c"],
    instead: "ftpull -q ftp://HOST/pub/a.gz -O left.gz --tries 11 -c",
  },
  {
    typed: "curl -C - -O ftp://HOST/pub/a.gz",
    before: { "a.gz": "half pub/a.gz" },
    peer: ownName,
    refused: ["write -c"],
    instead: "ftpull -c ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl --create-dirs -o data/raw/a.gz ftp://HOST/pub/a.gz",
    peer: { files: { "data/raw/a.gz": "pub/a.gz" } },
    refused: ["--create-dirs", "mkdir"],
  },
  {
    typed: "curl -Z -O ftp://HOST/pub/a.gz -O ftp://HOST/pub/b.gz",
    peer: { files: into("", "pub/a.gz", "pub/b.gz") },
    refused: ["write -j 4"],
    instead: "ftpull -j 4 ftp://HOST/pub/a.gz ftp://HOST/pub/b.gz",
  },
  {
    typed: "curl -O 'ftp://HOST/genome/chr[1-2].fa.gz'",
    peer: { files: into("", "genome/chr1.fa.gz", "genome/chr2.fa.gz") },
    instead: "ftpull 'ftp://HOST/genome/chr[1-2].fa.gz'",
    refused: ["saved under its own name"],
  },
  {
    typed: "curl -Ls 'ftp://{HOST/pub/a.gz,HOST/pub/b.gz}'",
    peer: { stdout: "pub/a.gz + pub/b.gz" },
    refused: ["-L"],
  },
  {
    typed: "curl -l ftp://HOST/genome/",
    peer: { stdout: genomeNames },
    refused: ["--format names"],
  },
  {
    typed: "curl -ls ftp://HOST/genome/",
    peer: { stdout: genomeNames },
    refused: ["write -q"],
    instead: "ftpull --format names -q ftp://HOST/genome/",
  },
  {
    typed: "curl -s ftp://HOST/genome/ --list-only",
    peer: { stdout: genomeNames },
    refused: ["write -q"],
    instead: "ftpull -q ftp://HOST/genome/ --format names",
  },
  {
    typed: "curl -I ftp://HOST/pub/a.gz",
    peer: { stdout: "other" },
    refused: ["--spider"],
    instead: "ftpull --spider ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -i ftp://HOST/pub/a.gz",
    peer: { stdout: "pub/a.gz" },
    refused: ["--input-file names a file of URLs"],
    status: 3,
  },
  {
    typed: "curl -m 60 -O ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["timeout SECONDS", "saved under its own name"],
    instead: "timeout 60 ftpull ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -r 0-99 ftp://HOST/pub/a.gz",
    peer: { stdout: "other" },
    refused: ["files are fetched whole"],
  },
  {
    typed: "curl -z a.gz -O ftp://HOST/pub/a.gz",
    before: { "a.gz": "pub/a.gz" },
    peer: ownName,
    refused: ["write -N"],
    instead: "ftpull -N ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -P - ftp://HOST/pub/a.gz",
    peer: { stdout: "pub/a.gz" },
    refused: ["write --active"],
    instead: "ftpull --active ftp://HOST/pub/a.gz",
    otherwise: { ...ownName, why: toFile },
  },
  {
    typed: "curl -A Mozilla/5.0 ftp://HOST/pub/a.gz",
    peer: { stdout: "pub/a.gz" },
    refused: ["it is for HTTP"],
    instead: "ftpull ftp://HOST/pub/a.gz",
    otherwise: { ...ownName, why: toFile },
  },
  {
    typed: "curl -w '%{size_download}' -s -o /dev/null ftp://HOST/pub/a.gz",
    peer: { stdout: "other" },
    refused: ["--json"],
  },
  {
    typed: "curl -T upload.txt ftp://HOST/pub/",
    peer: { status: 26 },
    refused: ["there are no uploads"],
  },
  {
    typed: "curl --disable-epsv --ftp-method nocwd -O ftp://HOST/pub/sub/c.gz",
    peer: { files: { "c.gz": "pub/sub/c.gz" } },
    instead: "ftpull ftp://HOST/pub/sub/c.gz",
    refused: ["--disable-epsv", "--ftp-method", "saved under its own name"],
  },
  {
    typed: "curl -O -L ftp://HOST/pub/a.gz",
    peer: ownName,
    refused: ["saved under its own name"],
    instead: "ftpull ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -k -O --ssl-reqd ftp://HOST/pub/a.gz",
    tls: "explicit",
    peer: ownName,
    refused: ["saved under its own name"],
    instead: "ftpull --no-check-certificate --tls ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -O --ssl-reqd ftp://HOST/pub/a.gz",
    tls: "explicit",
    peer: { status: 60 },
    otherwise: { status: 5, why: "a certificate that is not trusted" },
    refused: ["saved under its own name"],
    instead: "ftpull --tls ftp://HOST/pub/a.gz",
  },
  // lftp: `instead` is what to type here
  {
    typed: "lftp -c 'open ftp://HOST; mirror -c --only-newer -P4 /pub here'",
    before: { "here/a.gz": "older pub/a.gz" },
    peer: { files: below("here/", "pub/") },
    instead: "ftpull -r -c -j 4 -nH --cut-dirs=1 -P here ftp://HOST/pub/",
  },
  {
    typed: "lftp -c 'mirror -c ftp://HOST/pub/sub'",
    before: { "sub/c.gz": "half pub/sub/c.gz" },
    peer: { files: below("sub/", "pub/sub/") },
    instead: "ftpull -r -c ftp://HOST/pub/sub/",
  },
  {
    typed: "lftp -c 'mirror --only-newer ftp://HOST/pub/sub'",
    before: { "sub/c.gz": "half pub/sub/c.gz" },
    peer: {
      files: {
        "sub/c.gz": "half pub/sub/c.gz",
        "sub/c.txt": "pub/sub/c.txt",
        "sub/deep/d.gz": "pub/sub/deep/d.gz",
      },
    },
    otherwise: {
      files: below("sub/", "pub/sub/"),
      why: "another size is fetched again, whatever the date says",
    },
    instead: "ftpull -r ftp://HOST/pub/sub/",
  },
  {
    typed:
      "lftp -c 'mirror --verbose --only-newer --parallel=4 --use-pget-n=4 --include=chr2.fa.gz ftp://HOST/genome'",
    peer: { files: { "genome/chr2.fa.gz": "genome/chr2.fa.gz" } },
    instead: "ftpull -r -j 4 -s 4 -A chr2.fa.gz ftp://HOST/genome/",
  },
  {
    typed: "lftp -c 'open ftp://HOST; mirror -c -e /pub/sub sub'",
    before: { "sub/gone.gz": "older pub/a.gz" },
    peer: { files: below("sub/", "pub/sub/") },
    otherwise: {
      files: {
        "sub/c.gz": "pub/sub/c.gz",
        "sub/c.txt": "pub/sub/c.txt",
        "sub/deep/d.gz": "pub/sub/deep/d.gz",
        "sub/gone.gz": "older pub/a.gz",
      },
      why: "nothing is deleted",
    },
    instead: "ftpull -r -c ftp://HOST/pub/sub/",
  },
  {
    typed: "lftp -e 'mirror --only-missing --include-glob chr1* -- / data; quit' HOST",
    before: { "data/genome/chr1.fa.gz": "older genome/chr1.fa.gz" },
    peer: {
      files: {
        "data/genome/chr1.fa.gz": "older genome/chr1.fa.gz",
        "data/genome/chr10.fa.gz": "genome/chr10.fa.gz",
      },
    },
    instead: "ftpull -r --no-clobber -nH -A 'chr1*' -P data ftp://HOST/",
  },
  {
    typed: "lftp -c 'open ftp://HOST; mirror --exclude-glob *.txt -x ^old/ -x ^tmp/ /pub .'",
    peer: { files: below("", "pub/", "old/", "tmp/", "sub/c.txt") },
    instead: "ftpull -r -nH --cut-dirs=1 -R '*.txt,old/,tmp/' ftp://HOST/pub/",
  },
  {
    typed: "lftp -c 'open ftp://HOST; mirror --flat /pub out'",
    peer: { files: into("out/", ...inPub) },
    instead: "ftpull -r -nd -P out ftp://HOST/pub/",
  },
  {
    typed: "lftp -c 'mirror ftp://HOST/release'",
    peer: {
      files: {
        "release/113.gz": "release/113.gz",
        "release/current": "a link to ../pub/sub",
        "release/latest.gz": "a link to 113.gz",
      },
    },
    otherwise: {
      files: {
        "release/113.gz": "release/113.gz",
        "release/latest.gz": "release/113.gz",
        ...below("release/current/", "pub/sub/"),
      },
      why: "links are followed, and no local ones are made",
    },
    instead: "ftpull -r ftp://HOST/release/",
  },
  {
    typed: "lftp -u frank,PASSWORD -e 'mirror --newer-than=20100101 /genome here; bye' HOST",
    peer: { files: below("here/", "genome/") },
    instead:
      "ftpull --user frank -r -nH --cut-dirs=1 -P here --newer-than 2010-01-01 ftp://HOST/genome/",
  },
  {
    typed: "lftp -e 'pget -n 4 -c ftp://HOST/pub/a.gz; exit'",
    peer: ownName,
    instead: "ftpull -s 4 -c ftp://HOST/pub/a.gz",
  },
  {
    typed: "lftp -c 'mget ftp://HOST/genome/chr*'",
    peer: { files: below("chr", "genome/chr") },
    instead: "ftpull 'ftp://HOST/genome/chr*'",
  },
  {
    typed: "lftp -c 'get -c ftp://HOST/pub/a.gz -o planet; exit'",
    before: { planet: "half pub/a.gz" },
    peer: { files: { planet: "pub/a.gz" } },
    instead: "ftpull -c -O planet ftp://HOST/pub/a.gz",
  },
  {
    typed: "lftp -c 'open ftp://HOST; cat /pub/a.gz'",
    peer: { stdout: "pub/a.gz" },
    instead: "ftpull -O - ftp://HOST/pub/a.gz",
  },
  {
    typed:
      "lftp -c 'set ssl:verify-certificate no; open -u frank,PASSWORD ftps://HOST; mirror --only-newer /genome cards'",
    tls: "implicit",
    peer: { files: below("cards/", "genome/") },
    instead:
      "ftpull --no-check-certificate --user frank -r -nH --cut-dirs=1 -P cards ftps://HOST/genome/",
  },
  {
    typed:
      "lftp -c 'set ftp:ssl-force true; set ssl:verify-certificate no; open -u frank,PASSWORD ftp://HOST; get /pub/a.gz'",
    tls: "explicit",
    peer: ownName,
    instead: "ftpull --tls --no-check-certificate --user frank ftp://HOST/pub/a.gz",
  },
];

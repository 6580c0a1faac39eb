/**
 * Commands as public scripts have them (genome archives, weather, mirrors, devices, builds, nightly
 * jobs), and what this program makes of the same words. The peers' outcomes were measured with GNU Wget
 * 1.21.3, curl 7.88.1 and lftp 4.9.2 against vsftpd 3.0.3 and ProFTPD 1.3.8.
 */
import { basename } from "node:path";
import { archive } from "./archive.ts";

/** The files, by path and with their states as archive.ts names them, and standard output. */
export interface Outcome {
  /** Default 0. */
  readonly status?: number;
  /** State or kind of the output; default: nothing. */
  readonly stdout?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export interface HabitualCommand {
  /** Words of a script; HOST, PIN and PASSWORD stand for the server's. */
  readonly typed: string;
  /** Files that are here before. */
  readonly before?: Readonly<Record<string, string>>;
  /** Files of URLs. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  readonly tls?: "explicit" | "implicit";
  /** The outcome of `instead`, if there is one, else of `typed`. */
  readonly here: Outcome;
  /** Reason why the other program leaves something else. */
  readonly why?: string;
  /** The words are an error that has these texts. */
  readonly refused?: readonly string[];
  /** Status of that error; default 2. */
  readonly status?: number;
  /** Command for the same, as the error proposes it; always for lftp. */
  readonly instead?: string;
}

/** The words of a command, of which some are in single quotes. */
export function wordsOf(typed: string): string[] {
  return [...typed.matchAll(/'([^']*)'|[^ ]+/g)].map(([word, quoted]) => quoted ?? word);
}

/** All files below a directory of the server, placed below a prefix, without names that begin as `without`. */
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
  {
    typed: "wget ftp://HOST/pub/a.gz",
    before: { "a.gz": "older pub/a.gz" },
    here: { files: { "a.gz": "older pub/a.gz", "a.gz.1": "pub/a.gz" } },
  },
  {
    typed: "wget -nc ftp://HOST/pub/a.gz",
    before: { "a.gz": "older pub/a.gz" },
    here: { files: { "a.gz": "older pub/a.gz" } },
  },
  {
    typed: "wget ftp://HOST/genome/",
    here: { stdout: genomeNames },
    why: "a directory's names are printed, not saved as index.html",
  },
  {
    typed: "wget -O both ftp://HOST/pub/a.gz ftp://HOST/pub/b.gz",
    here: { files: { both: "pub/a.gz + pub/b.gz" } },
  },
  {
    typed:
      "wget --no-verbose --tries=3 --timeout=20 --continue --directory-prefix=dl ftp://HOST/pub/a.gz",
    here: { files: { "dl/a.gz": "pub/a.gz" } },
  },
  {
    typed: "wget --tries=inf --waitretry=5 --retry-connrefused ftp://HOST/pub/a.gz",
    here: ownName,
  },
  {
    typed:
      "wget -e robots=off --no-remove-listing --show-progress --progress=dot:giga --read-timeout=20 ftp://HOST/pub/a.gz",
    here: ownName,
  },
  {
    typed: "wget --passive-ftp -c -q --show-progress -O pkg.part ftp://HOST/pub/a.gz",
    before: { "pkg.part": "half pub/a.gz" },
    here: { files: { "pkg.part": "pub/a.gz" } },
  },
  {
    typed: "wget -P dir/sub -nv -x -nH ftp://HOST/pub/sub/c.gz",
    here: { files: { "dir/sub/pub/sub/c.gz": "pub/sub/c.gz" } },
  },
  {
    typed: "wget --wait=0.1 --random-wait -i list",
    lists: { list: ["ftp://HOST/pub/a.gz", "ftp://HOST/pub/b.gz"] },
    here: { files: into("", "pub/a.gz", "pub/b.gz") },
  },
  {
    typed: "wget -nc -O X.gz ftp://HOST/pub/a.gz",
    before: { "X.gz": "older pub/a.gz" },

    here: { files: { "X.gz": "older pub/a.gz" } },
    why: "a skipped document is no failure",
  },
  {
    typed: "wget -q ftp://HOST/pub/none ftp://HOST/pub/a.gz",
    here: { status: 8, files: { "a.gz": "pub/a.gz" } },
  },
  { typed: "wget -q --proxy=off ftp://HOST/pub/a.gz", here: ownName },
  {
    typed: "wget -t 5 -nv -c -T 60 -O X.gz HOST/pub/a.gz",
    here: { files: { "X.gz": "pub/a.gz" } },
  },
  {
    typed: "wget -nv -c -i urls.txt",
    lists: { "urls.txt": ["HOST/pub/a.gz", "HOST/pub/b.gz"] },
    here: { files: into("", "pub/a.gz", "pub/b.gz") },
  },
  { typed: "wget -c -N ftp://HOST/pub/a.gz", before: { "a.gz": "half pub/a.gz" }, here: ownName },
  {
    typed: "wget -cNr -nH ftp://HOST/pub/",
    before: {
      "pub/a.gz": "half pub/a.gz",
      "pub/b.gz": "pub/b.gz",
      "pub/sub/c.gz": "older pub/sub/c.gz",
    },
    here: { files: below("pub/", "pub/") },
  },
  {
    typed: "wget --timestamping 'ftp://HOST/genome/*'",
    before: { "chr1.fa.gz": "genome/chr1.fa.gz", "chr2.fa.gz": "older genome/chr2.fa.gz" },
    here: { files: below("", "genome/") },
  },
  {
    typed: "wget -q 'ftp://HOST/genome/*.zip'",
    here: { status: 8 },
    why: "a pattern that matches nothing is a failure",
  },
  {
    typed: "wget -r --no-parent -A 'chr*.fa.gz' ftp://HOST/genome/",
    here: { files: below("genome/chr", "genome/chr") },
    why: places,
  },
  {
    typed: "wget --recursive --no-parent ftp://HOST/pub/sub/ -P data",
    here: { files: below("data/sub/", "pub/sub/") },
    why: places,
  },
  {
    typed: "wget -c -r -nH --cut-dirs=1 --no-parent --execute robots=off ftp://HOST/pub/sub",
    here: { files: below("sub/", "pub/sub/") },
  },
  {
    typed: "wget -nH --cut-dirs=1 -A 'chr*.gz' -R 'chr10*,chr2*' -m -np ftp://HOST/genome/",
    here: { files: { "chr1.fa.gz": "genome/chr1.fa.gz" } },
  },
  {
    typed: "wget -r -nH ftp://HOST/release/",
    here: {
      files: {
        "release/113.gz": "release/113.gz",
        "release/latest.gz": "a link to 113.gz",
        ...below("release/current/", "pub/sub/"),
      },
    },
    why: "linked directories are entered, and links that lead into the tree are links",
  },
  {
    typed: "wget -r -nH --retr-symlinks ftp://HOST/release/",
    here: {
      files: {
        "release/113.gz": "release/113.gz",
        "release/latest.gz": "release/113.gz",
        ...below("release/current/", "pub/sub/"),
      },
    },
    why: "linked directories are entered",
  },
  {
    typed: "wget -r -nH ftp://HOST/release/current/",
    here: { files: below("release/current/", "pub/sub/") },
  },
  {
    typed: "wget -N -r -l inf -nH --cut-dirs=2 ftp://HOST/pub/sub/",
    here: { files: below("", "pub/sub/") },
  },
  {
    typed: "wget -N -r -l 8 --no-remove-listing -nH --cut-dirs=3 -A .gz ftp://HOST/pub/sub/",
    here: { files: into("", "pub/sub/c.gz", "pub/sub/deep/d.gz") },
  },
  {
    typed: "wget -r -nH --cut-dirs=100 ftp://HOST/pub/sub/",
    here: { files: into("", "pub/sub/c.gz", "pub/sub/c.txt", "pub/sub/deep/d.gz") },
  },
  {
    typed: "wget -nc -nd -np -r -l1 -P DWD -A .gz ftp://HOST/genome/",
    before: { "DWD/chr1.fa.gz": "older genome/chr1.fa.gz" },
    here: {
      files: {
        "DWD/chr1.fa.gz": "older genome/chr1.fa.gz",
        "DWD/chr10.fa.gz": "genome/chr10.fa.gz",
        "DWD/chr2.fa.gz": "genome/chr2.fa.gz",
      },
    },
  },
  {
    typed: "wget -r -nH --cut-dirs=1 --continue --no-remove-listing 'ftp://HOST/pub/sub/*' -P clp",
    here: { files: below("clp/sub/", "pub/sub/") },
  },
  {
    typed: "wget -m -x ftp://HOST/genome/",
    before: { "HOST/genome/chr1.fa.gz": "older genome/chr1.fa.gz" },
    here: { files: below("HOST/genome/", "genome/") },
  },
  {
    typed: "wget -m --no-passive ftp://HOST/genome/",
    here: { files: below("genome/", "genome/") },
    why: places,
  },
  {
    typed: "wget -r -nH -X /pub/old,/pub/tmp ftp://HOST/pub/",
    here: { files: below("pub/", "pub/", "old/", "tmp/") },
  },
  {
    typed: "wget -r -nH -X genome,pub/old,release -N -q -P site ftp://HOST/",
    here: { files: below("site/pub/", "pub/", "old/") },
  },
  { typed: "wget -r -nH -X old,tmp ftp://HOST/pub/", here: { files: below("pub/", "pub/") } },
  {
    typed: "wget --ftp-user=frank ftp://HOST/pub/a.gz",
    here: { ...ownName },
    why: fromVariable,
  },
  {
    typed: "wget --no-check-certificate ftps://HOST/pub/a.gz",
    tls: "explicit",
    here: { status: 5 },
    why: "ftps: is implicit TLS, as in curl; a hint names ftpes:",
  },
  {
    typed: "wget --ftps-implicit --pinnedpubkey=PIN ftps://HOST/pub/a.gz",
    tls: "implicit",
    here: { ...ownName },
    why: "a pinned key needs no authority",
  },
  {
    typed:
      "wget --ftps-implicit --no-check-certificate --pinnedpubkey=sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= ftps://HOST/pub/a.gz",
    tls: "implicit",
    here: { status: 5 },
  },
  {
    typed: "curl -N ftp://HOST/pub/a.gz",
    here: { ...ownName },
    why: toFile,
  },
  {
    typed: "curl --interface 127.0.0.2 ftp://HOST/pub/a.gz",
    here: { ...ownName },
    why: toFile,
  },
  {
    typed: "wget -N -nv -o /dev/null ftp://HOST/pub/a.gz",
    before: { "a.gz": "older pub/a.gz" },
    here: ownName,
    refused: ["2> FILE"],
    instead: "ftpull -N -nv ftp://HOST/pub/a.gz 2> /dev/null",
  },
  {
    typed: "wget -e use_proxy=yes -e ftp_proxy=http://127.0.0.1:9 -t 1 ftp://HOST/pub/a.gz",
    here: { status: 4 },
    refused: ["-e"],
    instead: "ftpull --proxy http://127.0.0.1:9 -t 1 ftp://HOST/pub/a.gz",
  },
  {
    typed: "wget --timestamping 'ftp://HOST/genome/chr?.fa.gz'",
    here: { files: into("", "genome/chr1.fa.gz", "genome/chr2.fa.gz") },
    refused: ["begins a query"],
    status: 8,
    instead: "ftpull -N 'ftp://HOST/genome/chr[0-9].fa.gz'",
  },
  {
    typed:
      "wget --ftp-user=frank --ftp-password=PASSWORD -A '*.gz' -N -r -l1 -e robots=off --no-parent -nd ftp://HOST/pub/",
    here: { files: into("", "pub/a.gz", "pub/b.gz") },
    refused: ["--ftp-password", "FTPULL_PASSWORD"],
  },
  {
    typed: "curl -k --ftp-ssl-reqd ftps://frank:PASSWORD@HOST/genome/",
    tls: "implicit",
    here: { stdout: genomeNames },
    why: pipe,
    refused: ["write --no-check-certificate"],
    instead: "FTPULL_PASSWORD='***' ftpull --no-check-certificate --tls ftps://frank@HOST/genome/",
  },
  {
    typed: "curl -u anonymous:me@example.org -k -O --ftp-ssl ftp://HOST/pub/a.gz",
    tls: "explicit",
    here: ownName,

    instead: "ftpull --user anonymous --no-check-certificate --tls ftp://HOST/pub/a.gz",
    refused: ["-u", "-k", "--ftp-ssl", "saved under its own name"],
  },
  {
    typed: "curl -y 30 -Y 1000 -O ftp://HOST/pub/a.gz",
    here: ownName,
    refused: ["saved under its own name"],
    instead: "ftpull --speed-time 30 --speed-limit 1000 ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -fsSL --retry 4 --max-time 60 -o out ftp://HOST/pub/a.gz",
    here: { files: { out: "pub/a.gz" } },
    refused: ["write -q", "-L", "timeout SECONDS", "write -O FILE"],
    instead: "timeout 60 ftpull -q --tries 5 -O out ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -s ftp://HOST/pub/a.gz -o left.gz --retry 10 -C -",
    before: { "left.gz": "half pub/a.gz" },
    here: { files: { "left.gz": "pub/a.gz" } },
    refused: ["write -q", "write -O FILE", "write -c"],
    instead: "ftpull -q ftp://HOST/pub/a.gz -O left.gz --tries 11 -c",
  },
  {
    typed: "curl -fLOC - ftp://HOST/pub/a.gz",
    before: { "a.gz": "half pub/a.gz" },
    here: ownName,
    refused: ["saved under its own name", "write -c"],
    instead: "ftpull -c ftp://HOST/pub/a.gz",
  },
  {
    typed: "curl -Z -O ftp://HOST/pub/a.gz -O ftp://HOST/pub/b.gz",
    here: { files: into("", "pub/a.gz", "pub/b.gz") },
    refused: ["write -j 4"],
    instead: "ftpull -j 4 ftp://HOST/pub/a.gz ftp://HOST/pub/b.gz",
  },
  {
    typed: "curl -i ftp://HOST/pub/a.gz",
    here: { stdout: "pub/a.gz" },
    refused: ["--input-file names a file of URLs"],
    status: 3,
  },
  {
    typed: "curl -P - ftp://HOST/pub/a.gz",

    refused: ["write --active"],
    instead: "ftpull --active ftp://HOST/pub/a.gz",
    here: { ...ownName },
    why: toFile,
  },
  {
    typed: "curl -A Mozilla/5.0 ftp://HOST/pub/a.gz",

    refused: ["it is for HTTP"],
    instead: "ftpull ftp://HOST/pub/a.gz",
    here: { ...ownName },
    why: toFile,
  },
  {
    typed: "curl --disable-epsv --ftp-method nocwd -O ftp://HOST/pub/sub/c.gz",
    here: { files: { "c.gz": "pub/sub/c.gz" } },
    instead: "ftpull ftp://HOST/pub/sub/c.gz",
    refused: ["--disable-epsv", "--ftp-method", "saved under its own name"],
  },
  // lftp: `instead` is what to type here
  {
    typed: "lftp -c 'open ftp://HOST; mirror -c --only-newer -P4 /pub here'",
    before: { "here/a.gz": "older pub/a.gz" },
    here: { files: below("here/", "pub/") },
    instead: "ftpull -r -c -j 4 -nH --cut-dirs=1 -P here ftp://HOST/pub/",
  },
  {
    typed: "lftp -c 'mirror --only-newer ftp://HOST/pub/sub'",
    before: { "sub/c.gz": "half pub/sub/c.gz" },

    here: { files: below("sub/", "pub/sub/") },
    why: "another size is fetched again, whatever the date says",
    instead: "ftpull -r ftp://HOST/pub/sub/",
  },
  {
    typed: "lftp -c 'mirror -e ftp://HOST/pub/sub'",
    before: { "sub/old/c.gz": "half pub/sub/c.gz" },
    here: { files: below("sub/", "pub/sub/") },
    instead: "ftpull -m --delete ftp://HOST/pub/sub/",
  },
  {
    typed: "lftp -e 'mirror --only-missing --include-glob chr1* -- / data; quit' HOST",
    before: { "data/genome/chr1.fa.gz": "older genome/chr1.fa.gz" },
    here: {
      files: {
        "data/genome/chr1.fa.gz": "older genome/chr1.fa.gz",
        "data/genome/chr10.fa.gz": "genome/chr10.fa.gz",
      },
    },
    instead: "ftpull -r --no-clobber -nH -A 'chr1*' -P data ftp://HOST/",
  },
  {
    typed: "lftp -c 'open ftp://HOST; mirror --exclude-glob *.txt -x ^old/ -x ^tmp/ /pub .'",
    here: { files: below("", "pub/", "old/", "tmp/", "sub/c.txt") },
    instead: "ftpull -r -nH --cut-dirs=1 -R '*.txt,old/,tmp/' ftp://HOST/pub/",
  },
  {
    typed: "lftp -c 'open ftp://HOST; mirror --flat /pub out'",
    here: { files: into("out/", ...inPub) },
    instead: "ftpull -r -nd -P out ftp://HOST/pub/",
  },
  {
    typed: "lftp -u frank,PASSWORD -e 'mirror --newer-than=20100101 /genome here; bye' HOST",
    here: { files: below("here/", "genome/") },
    instead:
      "ftpull --user frank -r -nH --cut-dirs=1 -P here --newer-than 2010-01-01 ftp://HOST/genome/",
  },
  {
    typed:
      "lftp -c 'set ssl:verify-certificate no; open -u frank,PASSWORD ftps://HOST; mirror --only-newer /genome cards'",
    tls: "implicit",
    here: { files: below("cards/", "genome/") },
    instead:
      "ftpull --no-check-certificate --user frank -r -nH --cut-dirs=1 -P cards ftps://HOST/genome/",
  },
  {
    typed:
      "lftp -c 'set ftp:ssl-force true; set ssl:verify-certificate no; open -u frank,PASSWORD ftp://HOST; get /pub/a.gz'",
    tls: "explicit",
    here: ownName,
    instead: "ftpull --tls --no-check-certificate --user frank ftp://HOST/pub/a.gz",
  },
];

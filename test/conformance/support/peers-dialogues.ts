/**
 * Dialogues that the test suites of curl 8 (tests/data) and wget 1.25 (tests/Test-ftp*.px) describe:
 * what the server does, what is asked for, and what has to come of it. Each row names its test there.
 * Left out are tests of what this program doesn't do: uploads, GET by an HTTP proxy, SOCKS4, PRET,
 * byte ranges, commands of the user's, timing and the programs' own interfaces.
 */
import { close, passive, reply227, stall, transfer } from "../../support/actions.ts";
import type { ServerOptions } from "../../support/options.ts";
import type { Step } from "../../support/script.ts";
import { letIn } from "./agreeable-server.ts";

export interface PeerDialogue {
  /** The other program and the name of its test. */
  readonly source: string;
  readonly claim: string;
  /** The server; a file `x` of the text `content`, and LIST without MLSD, where nothing is said. */
  readonly server?: ServerOptions;
  /** Options and URLs; HOST stands for the server's address. Default: `ftp://HOST/x`. */
  readonly words?: string;
  readonly before?: Readonly<Record<string, string>>;
  readonly netrc?: string;
  /** Default 1. */
  readonly tries?: number;
  /** Default 0. */
  readonly status?: number;
  /** The files there afterwards; default: `x` where the status is 0, else those of `before`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly stdout?: string;
  readonly says?: string;
  readonly otherwise?: string;
}

export const content = "some\ncontent\n";

const odd = "314 what is this?";
const noSize = "500 SIZE not understood";
const account = { users: { u: { password: "p", account: "one count" } } };
const deep = "part/".repeat(150);

/** Only the user of the netrc file gets in. */
const noAnonymous = { "USER anonymous": "530 no" };

/** Takes image type, whatever the argument says. */
const asImage: Step = ({ session }) => void (session.type = "I");

/** Refuses SIZE, and names no size in the preliminary reply. */
const sizeless = { SIZE: noSize, RETR: transfer({ preliminary: "150 Here it comes" }) };

const wildcards = {
  files: { "d/chmod1": "1", "d/file1.txt": "2", "d/file2.txt": "3", "d/.hidden.txt": "4" },
  directories: ["d/dir.txt"],
};

export const dialogues: readonly PeerDialogue[] = [
  // curl: ways to a document
  { source: "curl 102", claim: "EPSV is unknown", server: { on: { EPSV: "500 no such command" } } },
  {
    source: "curl 103",
    claim: "active, in a directory",
    server: { files: { "a/path/x": content } },
    words: "--active ftp://HOST/a/path/x",
  },
  {
    source: "curl 104",
    claim: "size and date alone",
    words: "--spider ftp://HOST/x",
    files: {},
    stdout: "13\t",
  },
  {
    source: "curl 105",
    claim: "user, password and text",
    server: { users: { userdude: { password: "passfellow" } } },
    words: "ftp://userdude:passfellow@HOST/x;type=a",
  },
  {
    source: "curl 106",
    claim: "blanks and empty segments",
    server: { files: { "path with  spaces/and things2/x": content } },
    words: "ftp://HOST//path%20with%20%20spaces//and%20things2/x;type=A",
  },
  {
    source: "curl 126",
    claim: "150 and 226 in one segment",
    server: {
      on: {
        RETR: transfer({
          preliminary: "150 Here it comes (13 bytes).\r\n226 File transfer complete",
          completion: [],
        }),
      },
    },
  },
  {
    source: "curl 137",
    claim: "no size in the preliminary reply",
    server: { on: { RETR: transfer({ preliminary: "150 Here it comes" }) } },
  },
  { source: "curl 138", claim: "no size anywhere", server: { on: sizeless } },
  {
    source: "curl 142",
    claim: "a directory of 150 levels",
    server: { files: { [`${deep}x`]: content } },
    words: `ftp://HOST/${deep}x`,
  },
  {
    source: "curl 143",
    claim: "text by an absolute path",
    server: { files: { "tmp/moo/x": content }, loginDirectory: "/tmp" },
    words: "ftp://HOST/%2ftmp/moo/x;type=a",
  },
  { source: "curl 182", claim: "an empty file", server: { files: { x: "" } }, files: { x: "" } },
  {
    source: "curl 191",
    claim: "question marks in user and password",
    server: { users: { "use?r": { password: "pass?word" } } },
    words: "ftp://use%3fr:pass%3fword@HOST/x",
  },
  {
    source: "curl 261",
    claim: "TYPE answered 226",
    server: { on: { TYPE: [asImage, "226 Kind of on the positive side!"] } },
  },
  {
    source: "curl 270",
    claim: "PASV names another host",
    server: { on: { EPSV: "500 no", PASV: passive((port) => reply227(port, "1.2.3.4")) } },
  },
  {
    source: "curl 337",
    claim: "SIZE with more than a number",
    server: { on: { SIZE: "213 file: 213, Size =51" } },
  },
  {
    source: "curl 354",
    claim: "USER answered 200",
    server: { on: { USER: [letIn, "200 fine, proceed without password"] } },
  },
  {
    source: "curl 416",
    claim: "a growing file: SIZE says 7, all of it comes",
    server: { on: { SIZE: "213 7" } },
    status: 9,
    files: {},
    otherwise: "curl --ignore-content-length fetches it; without that option it ends at 7 octets",
  },
  {
    source: "curl 1003",
    claim: "a reply line of 17,000 characters",
    server: {
      files: { "path/x": content },
      on: {
        CWD: [
          ({ session }) => void (session.workingDirectory = "/path"),
          `250 C${"A".repeat(16_998)}B`,
        ],
      },
    },
    words: "ftp://HOST/path/x",
  },
  {
    source: "curl 1005, 1006, 1062",
    claim: "a reply of 226 lines",
    server: {
      files: { "path/x": content },
      on: {
        CWD: [
          ({ session }) => void (session.workingDirectory = "/path"),
          `${`250-${"A".repeat(73)}\r\n`.repeat(226)}250 Finally`,
        ],
      },
    },
    words: "ftp://HOST/path/x",
  },
  {
    source: "curl 1219",
    claim: "a greeting that has logged in already",
    server: { on: { greeting: [letIn, "230 welcome without password"] } },
  },
  { source: "curl 1224", claim: "a file in the root directory", words: "ftp://HOST//x" },
  {
    source: "curl 1233",
    claim: "EPSV's port can't be reached",
    server: { on: { EPSV: "229 Entering Passive Mode (|||1|)" } },
    words: "--allow-port 1 ftp://HOST/x",
  },
  {
    source: "curl 1414",
    claim: "active without SIZE or EPRT",
    server: { on: { SIZE: "502 no such command", EPRT: "502 no such command" } },
    words: "--active ftp://HOST/x",
  },
  {
    source: "curl 1684",
    claim: "an MDTM that can't be read",
    server: { on: { MDTM: "213 April 1st" } },
  },
  {
    source: "curl 3027",
    claim: "MDTM refused by 550",
    server: { on: { MDTM: "550 Permission denied" } },
  },

  // curl: several documents
  {
    source: "curl 146, 210",
    claim: "two directories, one connection",
    server: { files: { "first/dir/x": content, y: "y" } },
    words: "ftp://HOST/first/dir/x ftp://HOST/y",
    files: { x: content, y: "y" },
  },
  {
    source: "curl 211",
    claim: "two without EPSV",
    server: { files: { "a/x": content, "a/y": "y" }, on: { EPSV: "500 no such command" } },
    words: "ftp://HOST/a/x ftp://HOST/a/y",
    files: { x: content, y: "y" },
  },
  {
    source: "curl 212",
    claim: "two without EPRT",
    server: { files: { "a/x": content, "a/y": "y" }, on: { EPRT: "500 no such command" } },
    words: "--active ftp://HOST/a/x ftp://HOST/a/y",
    files: { x: content, y: "y" },
  },
  {
    source: "curl 533",
    claim: "a missing file twice",
    server: { on: { RETR: "550 the file doesn't exist", SIZE: noSize } },
    words: "ftp://HOST/path/x;type=i ftp://HOST/path/x;type=i",
    status: 8,
  },
  {
    source: "curl 546, 1096",
    claim: "a missing file, then one that is there",
    server: {
      files: { "path/x": content },
      on: { "RETR#1": "550 the file doesn't exist", "SIZE#1": noSize },
    },
    words: "ftp://HOST/path/x;type=i ftp://HOST/path/x;type=i",
    status: 8,
    files: { x: content },
  },
  {
    source: "curl 698",
    claim: "ACCT, and a second document",
    server: { ...account, files: { x: content, y: "y" } },
    words: "--account one%20count ftp://u:p@HOST/x ftp://u:p@HOST/y",
    files: { x: content, y: "y" },
  },
  {
    source: "curl 1225",
    claim: "two by absolute paths",
    server: { files: { "foo/x": content, "foo/bar/y": "y" }, loginDirectory: "/foo" },
    words: "ftp://HOST/%2Ffoo/x ftp://HOST/%2Ffoo/bar/y",
    files: { x: content, y: "y" },
  },
  {
    source: "curl 1217",
    claim: "words before the directory in 257",
    server: {
      files: { "get/file/x": content, "get/file/again/y": "y" },
      on: { PWD: '257 there is rubbish all over "/"' },
    },
    words: "ftp://HOST/get/file/x ftp://HOST/get/file/again/y",
    files: { x: content, y: "y" },
  },
  {
    source: "curl 1569",
    claim: "a text, then an image",
    server: { files: { x: content, y: "a\r\nb" } },
    words: "ftp://HOST/x;type=A ftp://HOST/y",
    files: { x: content, y: "a\r\nb" },
  },
  {
    source: "curl 1570",
    claim: "a directory, then a file",
    server: { files: { "d/a": "", x: content } },
    words: "ftp://HOST/d;type=D ftp://HOST/x",
    files: { x: content },
    stdout: "a\n",
  },

  // curl: resuming, dates
  {
    source: "curl 110",
    claim: "the rest of a file",
    words: "-c ftp://HOST/x",
    before: { x: content.slice(0, 5) },
  },
  {
    source: "curl 111",
    claim: "a copy here that is longer",
    words: "-c ftp://HOST/x",
    before: { x: `${content}and more` },
    status: 9,
    files: { x: `${content}and more` },
  },
  {
    source: "curl 122, 1036",
    claim: "a copy here that is whole",
    words: "-c ftp://HOST/x",
    before: { x: content },
  },
  {
    source: "curl 1037",
    claim: "an empty copy of an empty file",
    server: { files: { x: "" } },
    words: "-c ftp://HOST/x",
    before: { x: "" },
    files: { x: "" },
  },
  {
    source: "curl 139",
    claim: "a file that is newer than the copy here",
    server: { files: { x: { content, modified: new Date("2003-04-09") } } },
    words: "-N ftp://HOST/x",
    before: { x: "1989-01-01 old" },
  },
  {
    source: "curl 140, 272, 1262",
    claim: "a file that isn't newer",
    server: { files: { x: { content, modified: new Date("2003-04-09") } } },
    words: "-N ftp://HOST/x",
    before: { x: "2004-01-01 SOME\nCONTENT\n" },
    files: { x: "SOME\nCONTENT\n" },
  },

  // curl: listings and patterns
  {
    source: "curl 100, 101",
    claim: "a listing",
    server: { files: { "d/a": "", "d/b/c": "" } },
    words: "ftp://HOST/d/",
    stdout: "a\nb/\n",
  },
  {
    source: "curl 1010, 1149",
    claim: "a listing twice",
    server: { files: { "list/this/a": "" } },
    words: "ftp://HOST//list/this/ ftp://HOST//list/this/",
    stdout: "a\na\n",
  },
  {
    source: "curl 144",
    claim: "an empty directory by NLST 450",
    server: { directories: ["d"], on: { LIST: "502 no", NLST: "450 No files found" } },
    words: "ftp://HOST/d/",
    status: 8,
    otherwise: "curl takes 450 for an empty listing; without LIST nothing says so here",
  },
  {
    source: "curl 145",
    claim: "NLST refused",
    server: { directories: ["d"], on: { LIST: "502 no", NLST: "550 Have a taste on this!" } },
    words: "ftp://HOST/d/",
    status: 8,
  },
  {
    source: "curl 244",
    claim: "a listing of an encoded path",
    server: { files: { "fir#t/third/d/a": "" } },
    words: "ftp://HOST/fir%23t/th%69rd/d/",
    stdout: "a\n",
  },
  {
    source: "curl 350, 351, 352",
    claim: "a listing of the root",
    words: "ftp://HOST//",
    stdout: "x\n",
  },
  {
    source: "curl 353",
    claim: "a listing of the login directory",
    server: { files: { "home/a": "" }, loginDirectory: "/home" },
    words: "ftp://HOST/",
    stdout: "a\n",
  },
  {
    source: "curl 1153",
    claim: "quotes in PWD's directory",
    server: { files: { "d/a": "" }, on: { PWD: '257 "/""hello"""' } },
    words: "ftp://HOST/d/",
    stdout: "a\n",
  },
  {
    source: "curl 574, 1113",
    claim: "a pattern",
    server: wildcards,
    words: "ftp://HOST/d/*.txt",
    files: { "file1.txt": "2", "file2.txt": "3" },
  },
  {
    source: "curl 575, 576, 1114",
    claim: "a pattern of everything",
    server: wildcards,
    words: "ftp://HOST/d/*",
    files: { chmod1: "1", "file1.txt": "2", "file2.txt": "3" },
  },
  {
    source: "curl 1162",
    claim: "a pattern that is broken and matches nothing",
    server: wildcards,
    words: "ftp://HOST/d/[*%5C%5Cs-'tl",
    status: 8,
    files: {},
  },
  {
    source: "curl 1163",
    claim: "a pattern that ends with an open bracket",
    server: wildcards,
    words: "ftp://HOST/d/*[][",
    status: 8,
    files: {},
  },

  // curl: logging in
  {
    source: "curl 113",
    claim: "USER answered 314",
    server: { on: { USER: odd } },
    status: 7,
    says: "314",
  },
  {
    source: "curl 114, 538",
    claim: "PASS answered 314",
    server: { on: { PASS: odd } },
    status: 7,
    says: "314",
  },
  {
    source: "curl 1282",
    claim: "PASS answered 633",
    server: { on: { PASS: "633 XXXXXXXX" } },
    status: 7,
    says: "633",
  },
  {
    source: "curl 195",
    claim: "PASS answered 530",
    server: { on: { PASS: "530 temporarily not available" } },
    status: 6,
    says: "temporarily not available",
  },
  {
    source: "curl 196",
    claim: "PASS answered 430",
    server: { on: { PASS: "430 temporarily not available" } },
    status: 6,
    says: "temporarily not available",
  },
  {
    source: "curl 136",
    claim: "an empty password",
    server: { users: { user: { password: "" } } },
    words: "ftp://user:@HOST/x",
  },
  {
    source: "curl 228, 294",
    claim: "an account",
    server: account,
    words: "--account one%20count ftp://u:p@HOST/x",
  },
  {
    source: "curl 229",
    claim: "a wrong account",
    server: account,
    words: "--account other ftp://u:p@HOST/x",
    status: 6,
  },
  {
    source: "curl 295",
    claim: "an account that is asked for and not known",
    server: account,
    words: "ftp://u:p@HOST/x",
    status: 6,
  },
  {
    source: "curl 130, 2039",
    claim: "netrc for a host",
    server: { users: { user1: { password: "passwd1" } }, on: noAnonymous },
    netrc:
      "machine 127.0.0.1 login user1 password passwd1\nmachine 127.0.0.1 login user2 password passwd2\n",
  },
  {
    source: "curl 131, 380",
    claim: "netrc for a user of the URL",
    server: { users: { user2: { password: "passwd2" } } },
    netrc:
      "machine 127.0.0.1 login user1 password passwd1\nmachine 127.0.0.1 login user2 password passwd2\n",
    words: "ftp://user2@HOST/x",
  },
  {
    source: "curl 132, 134, 381",
    claim: "the URL's password before netrc's",
    server: { users: { mary: { password: "mark" } } },
    netrc: "machine 127.0.0.1 login mary password drfrank\n",
    words: "ftp://mary:mark@HOST/x",
  },
  {
    source: "curl 494",
    claim: "netrc with a macro",
    server: { users: { user1: { password: "passwd1" } }, on: noAnonymous },
    netrc:
      "macdef testmacro\n    bin\n    cd default\n\nmachine 127.0.0.1 login user1 password passwd1\n",
  },
  {
    source: "curl 2039",
    claim: "netrc's default entry",
    server: { users: { userdef: { password: "passdef" } }, on: noAnonymous },
    netrc: "machine other.example login a password b\ndefault login userdef password passdef\n",
  },

  // curl: refusals and faults
  {
    source: "curl 115",
    claim: "EPSV and PASV answered 314",
    server: { on: { EPSV: odd, PASV: odd } },
    status: 7,
    says: "314",
  },
  {
    source: "curl 116",
    claim: "EPRT refused, PORT answered 314",
    server: { on: { EPRT: "500 we don't like EPRT now", PORT: odd } },
    words: "--active ftp://HOST/x",
    status: 7,
    says: "314",
  },
  {
    source: "curl 117",
    claim: "TYPE answered 314",
    server: { on: { TYPE: odd } },
    status: 7,
    says: "314",
  },
  {
    source: "curl 118",
    claim: "RETR answered 314",
    server: { on: { RETR: odd, SIZE: noSize } },
    status: 7,
    says: "314",
  },
  {
    source: "curl 119",
    claim: "RETR answered 314, active",
    server: { on: { RETR: odd, SIZE: noSize } },
    words: "--active ftp://HOST/x",
    status: 7,
    says: "314",
  },
  {
    source: "curl 124",
    claim: "PWD answered 314",
    server: { files: { "d/x": content }, on: { PWD: odd } },
    words: "ftp://HOST/d/x",
  },
  {
    source: "curl 125",
    claim: "CWD answered 314",
    server: { files: { "path/x": content }, on: { CWD: odd } },
    words: "ftp://HOST/path/x",
    status: 7,
    says: "314",
  },
  {
    source: "curl 161",
    claim: "less than SIZE",
    server: { on: { RETR: transfer({ content: "some" }) } },
    status: 9,
    files: {},
  },
  {
    source: "curl 190",
    claim: "CWD isn't answered",
    server: { files: { "path/x": content }, on: { CWD: stall } },
    words: "-T 2 ftp://HOST/path/x",
    status: 4,
  },
  {
    source: "curl 225",
    claim: "a line feed in the user",
    words: "ftp://bad%0auser:passwd@HOST/x",
    status: 2,
  },
  {
    source: "curl 226",
    claim: "a carriage return in the path",
    words: "ftp://HOST/x%0d",
    status: 2,
  },
  { source: "curl 340", claim: "a NUL in the path", words: "ftp://HOST/%00first/x", status: 2 },
  {
    source: "curl 2115",
    claim: "a line end in the account",
    server: account,
    words: "--account a%0D%0AQUIT ftp://u:p@HOST/x",
    status: 2,
  },
  {
    source: "curl 1599",
    claim: "a control character in netrc's password",
    server: { users: { user1: { password: "a\u0001b" } } },
    netrc: "machine 127.0.0.1 login user1 password a\u0001b\n",
    otherwise: "curl refuses to send it",
  },
  {
    source: "curl 237",
    claim: "PASV with numbers above 255",
    server: { on: { EPSV: "500 no", PASV: "227 Entering Passive Mode (1216,256,2,127,127,127)" } },
    status: 7,
    says: "1216,256",
  },
  {
    source: "curl 238",
    claim: "EPSV with a port above 65535",
    server: { on: { EPSV: "229 Entering Passive Mode (|||1000000|)", PASV: "502 no" } },
    status: 8,
  },
  {
    source: "curl 402",
    claim: "TLS asked of a server without it",
    words: "--tls ftp://HOST/x",
    status: 5,
  },
  {
    source: "curl 511, 1913, 1914",
    claim: "MDTM and SIZE refused of a missing file",
    server: { on: { MDTM: "550 bluah", SIZE: "550 bluah" } },
    words: "ftp://HOST/none;type=i",
    status: 8,
  },
  {
    source: "curl 1120",
    claim: "CWD answered 421",
    server: { files: { "a/x": content }, on: { CWD: ["421 Timeout!", close] } },
    words: "ftp://HOST/a/x",
    status: 8,
    says: "Timeout!",
  },
  {
    source: "curl 1152",
    claim: "an unclosed quote in PWD's directory",
    server: { files: { "d/x": content }, on: { PWD: '257 "Only one' } },
    words: "ftp://HOST/d/x",
    otherwise: "curl gives up; the directory isn't needed for one document",
  },
  {
    source: "curl 3217, 3218",
    claim: "control characters in PWD's directory",
    server: { files: { "d/x": content }, on: { PWD: '257 "/\u0003"' } },
    words: "ftp://HOST/d/x",
    otherwise: "curl gives up; the directory isn't needed for one document",
  },
  {
    source: "curl 1206, 1211",
    claim: "active, answered 425",
    server: { on: { RETR: "425 No data connection" } },
    words: "--active ftp://HOST/x",
    status: 8,
    says: "425",
  },
  {
    source: "curl 1207",
    claim: "active, answered 421",
    server: { on: { RETR: "421 Connection timed out" } },
    words: "--active ftp://HOST/x",
    status: 8,
    says: "421",
  },
  {
    source: "curl 1208",
    claim: "active, 150 and no connection",
    server: { on: { RETR: "150 File status okay" } },
    words: "--active -T 2 ftp://HOST/x",
    status: 4,
  },
  {
    source: "curl 1209",
    claim: "active, no reply and no connection",
    server: { on: { RETR: stall } },
    words: "--active -T 2 ftp://HOST/x",
    status: 4,
  },
  {
    source: "curl 2045",
    claim: "a greeting of HTTP",
    server: {
      on: { greeting: "HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n500 Weird FTP Reply" },
    },
    status: 7,
  },
  {
    source: "curl 2108",
    claim: "a NUL in a reply",
    server: { on: { PASS: [letIn, "230 logged\u0000 in"] } },
    otherwise: "curl gives up; the text of a reply has no meaning here",
  },
  {
    source: "curl 1102",
    claim: "OS/400's names of directories",
    server: { files: { "d/x": content }, on: { PWD: '257 "QGPL" is the current library' } },
    words: "ftp://HOST/d/x",
  },
  {
    source: "curl 1103",
    claim: "a drive in PWD's directory",
    server: { files: { "d/x": content }, on: { PWD: '257 "C:/somedir" is the current directory' } },
    words: "ftp://HOST/d/x",
  },

  // wget
  { source: "wget Test-ftp", claim: "a file" },
  {
    source: "wget Test-ftp-dir",
    claim: "a path with an empty first segment",
    server: { files: { "dir/x": content } },
    words: "ftp://HOST//dir/x",
  },
  {
    source: "wget Test-ftp-recursive",
    claim: "a tree",
    server: { files: { "foo/a": content, "bar/baz/b": "b" } },
    words: "-nH -r ftp://HOST/",
    files: { "bar/baz/b": "b", "foo/a": content },
  },
  {
    source: "wget Test-ftp-bad-list",
    claim: "a second run of a tree whose files are there",
    server: { files: { "a.txt": content } },
    words: "-nH -N -c -r ftp://HOST/",
    before: { "a.txt": content },
    files: { "a.txt": content },
  },
  {
    source: "wget Test-ftp-list-Multinet, -Unknown",
    claim: "LIST -a is empty",
    server: { files: { "a.txt": content }, on: { "LIST -a": transfer({ content: "" }) } },
    words: "-nd -r -l 1 -A ?.txt ftp://HOST/",
    files: { "a.txt": content },
  },
  {
    source: "wget Test-ftp-list-UNIX-hidden",
    claim: "a hidden file",
    server: { files: { "a.txt": content, ".b": "b" }, hidesDots: true },
    words: "-nd -r -l 1 ftp://HOST/",
    files: { ".b": "b", "a.txt": content },
  },
  {
    source: "wget Test-ftp-list-Unknown-a",
    claim: "LIST -a is read as a name, and a file has that name",
    server: {
      files: { "a.txt": content, "-a": "strange" },
      on: {
        "LIST -a": transfer({
          content: "-rw-r--r--    1 ftp      ftp             7 Jan 01  2020 -a\r\n",
        }),
      },
    },
    words: "-nd -r -l 1 ftp://HOST/",
    files: { "-a": "strange", "a.txt": content },
  },
  {
    source: "wget Test-ftp-list-Unknown-list-a-fails",
    claim: "LIST -a is refused",
    server: { files: { "a.txt": content }, on: { "LIST -a": "500 what?" } },
    words: "-nd -r -l 1 -A ?.txt ftp://HOST/",
    files: { "a.txt": content },
  },
  {
    source: "wget Test-ftp-pasv-fail",
    claim: "PASV refused for now",
    server: { on: { EPSV: "500 no", "PASV#1": "425 Try again" } },
    tries: 2,
  },
  {
    source: "wget Test-ftp-pasv-not-supported",
    claim: "no passive mode at all",
    server: { on: { EPSV: "500 no", PASV: "500 no" } },
    status: 8,
  },
  {
    source: "wget Test-ftp-iri",
    claim: "a name in UTF-8",
    server: { files: { français: content } },
    words: "ftp://HOST/français",
    files: { français: content },
  },
  {
    source: "wget Test-ftp-iri-disabled, -fallback",
    claim: "a name in Latin-1",
    server: { files: { "fran\u00e7ais": content }, nameEncoding: "latin1" },
    words: "ftp://HOST/fran%E7ais",
    files: { "fran%E7ais": content },
  },
  {
    source: "wget Test-ftp-iri-recursive",
    claim: "a tree with a name in Latin-1",
    server: { files: { "fran\u00e7ais": content }, nameEncoding: "latin1" },
    words: "-r -nH --remote-encoding=latin1 ftp://HOST/",
    files: { français: content },
  },
];

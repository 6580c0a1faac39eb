/**
 * Dialogues that the test suites of curl 8 (tests/data) and wget 1.25 (tests/Test-ftp*.px) describe:
 * what the server does, what is asked for, and what has to come of it. Each row names its test there.
 * Left out are tests of what this program doesn't do: uploads, GET by an HTTP proxy, SOCKS4, PRET,
 * byte ranges, commands of the user's, timing and the programs' own interfaces, and those whose fault
 * another test here notices.
 */
import { close, stall, transfer } from "../../support/actions.ts";
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
  /** What the other program does, where it does something else. */
  readonly otherwise?: string;
}

export const content = "some\ncontent\n";

const odd = "314 what is this?";
const noSize = "500 SIZE not understood";
const account = { users: { u: { password: "p", account: "one count" } } };
const deep = "part/".repeat(150);

/** Takes image type, whatever the argument says. */
const asImage: Step = ({ session }) => void (session.type = "I");

/** Refuses SIZE, and names no size in the preliminary reply. */
const sizeless = { SIZE: noSize, RETR: transfer({ preliminary: "150 Here it comes" }) };

/** An odd reply where nothing explains it ends the try, and is shown. */
const oddReplies: [source: string, on: NonNullable<ServerOptions["on"]>, options?: string][] = [
  ["curl 113", { USER: odd }],
  ["curl 114, 538", { PASS: odd }],
  ["curl 115", { EPSV: odd, PASV: odd }],
  ["curl 116", { EPRT: "500 we don't like EPRT now", PORT: odd }, "--active "],
  ["curl 117", { TYPE: odd }],
  ["curl 118", { RETR: odd, SIZE: noSize }],
  ["curl 119", { RETR: odd, SIZE: noSize }, "--active "],
  ["curl 125", { CWD: odd }],
];

export const dialogues: readonly PeerDialogue[] = [
  ...oddReplies.map(([source, on, options = ""]): PeerDialogue => {
    const claim = `314 to ${Object.keys(on).join(" and ")}`;
    return {
      source,
      claim,
      server: { on },
      words: `${options}ftp://HOST/d/x`,
      status: 7,
      says: "314",
    };
  }),

  // curl
  { source: "curl 102", claim: "EPSV is unknown", server: { on: { EPSV: "500 no such command" } } },
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
  { source: "curl 138", claim: "no size anywhere", server: { on: sizeless } },
  {
    source: "curl 142",
    claim: "a directory of 150 levels",
    server: { files: { [`${deep}x`]: content } },
    words: `ftp://HOST/${deep}x`,
  },
  { source: "curl 182", claim: "an empty file", server: { files: { x: "" } }, files: { x: "" } },
  {
    source: "curl 261",
    claim: "TYPE answered 226",
    server: { on: { TYPE: [asImage, "226 Kind of on the positive side!"] } },
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
    source: "curl 1219",
    claim: "a greeting that has logged in already",
    server: { on: { greeting: [letIn, "230 welcome without password"] } },
  },
  { source: "curl 1224", claim: "a file in the root directory", words: "ftp://HOST//x" },
  {
    source: "curl 1414",
    claim: "active without SIZE or EPRT",
    server: { on: { SIZE: "502 no such command", EPRT: "502 no such command" } },
    words: "--active ftp://HOST/x",
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
    source: "curl 1037",
    claim: "an empty copy of an empty file",
    server: { files: { x: "" } },
    words: "-c ftp://HOST/x",
    before: { x: "" },
    files: { x: "" },
  },
  {
    source: "curl 1163",
    claim: "a pattern that ends with an open bracket",
    words: "ftp://HOST/d/*[][",
    status: 8,
    files: {},
  },
  {
    source: "curl 190",
    claim: "CWD isn't answered",
    server: { on: { CWD: stall } },
    words: "-T 2 ftp://HOST/path/x",
    status: 4,
  },
  {
    source: "curl 2045",
    claim: "a greeting of HTTP",
    server: { on: { greeting: "HTTP/1.1 200 OK\r\n\r\n500 Weird FTP Reply" } },
    status: 7,
  },
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
    source: "curl 1120",
    claim: "CWD answered 421",
    server: { files: { "a/x": content }, on: { CWD: ["421 Timeout!", close] } },
    words: "ftp://HOST/a/x",
    status: 8,
    says: "Timeout!",
  },
  {
    source: "curl 1209",
    claim: "active, no reply and no connection",
    server: { on: { RETR: stall } },
    words: "--active -T 2 ftp://HOST/x",
    status: 4,
  },
  {
    source: "curl 2108",
    claim: "a NUL in a reply",
    server: { on: { PASS: [letIn, "230 logged\u0000 in"] } },
    otherwise: "curl gives up; the text of a reply has no meaning here",
  },

  // wget
  { source: "wget Test-ftp", claim: "a file" },
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
    source: "wget Test-ftp-pasv-fail",
    claim: "PASV refused for now",
    server: { on: { EPSV: "500 no", "PASV#1": "425 Try again" } },
    tries: 2,
  },
  {
    source: "wget Test-ftp-iri-recursive",
    claim: "a tree with a name in Latin-1",
    server: { files: { "fran\u00e7ais": content }, nameEncoding: "latin1" },
    words: "-r -nH --remote-encoding=latin1 ftp://HOST/",
    files: { français: content },
  },
];

import { describe, expect, it } from "vitest";
import type { ServerOptions } from "./options.ts";
import { RawClient } from "./raw-client.ts";
import { startServer } from "./start-server.ts";

/** Each command and how its reply begins. */
type Dialogue = [command: string, reply: string][];

const anonymous: Dialogue = [
  ["USER anonymous", "331 "],
  ["PASS x@example.com", "230 "],
];

async function hold(dialogue: Dialogue, options: ServerOptions = {}): Promise<void> {
  const server = await startServer(options);
  const client = await RawClient.connect(server.port);
  await client.line();
  for (const [command, reply] of dialogue) {
    expect((await client.ask(command)).slice(0, reply.length), command).toBe(reply);
  }
}

const dialogues: [claim: string, dialogue: Dialogue, options?: ServerOptions][] = [
  ["wants a login first", [["PWD", "530 "]]],
  [
    "doesn't know strangers",
    [
      ["USER u", "331 "],
      ["PASS p", "530 "],
      ["PWD", "530 "],
    ],
  ],
  [
    "checks a password",
    [
      ["PASS p", "503 "],
      ["USER u", "331 "],
      ["PASS q", "530 "],
      ["PASS p", "230 "],
    ],
    { users: { u: { password: "p" } } },
  ],
  ["lets a user without password in at once", [["USER u", "230 "]], { users: { u: {} } }],
  [
    "wants an account where there is one",
    [
      ["USER u", "331 "],
      ["PASS p", "332 "],
      ["ACCT b", "530 "],
      ["PWD", "530 "],
      ["ACCT a", "230 "],
    ],
    { users: { u: { password: "p", account: "a" } } },
  ],
  [
    "may refuse anonymous",
    [
      ["USER ftp", "331 "],
      ["PASS x", "530 "],
    ],
    { anonymous: false },
  ],
  ["takes HOST before USER only", [["HOST h", "220 "], ...anonymous, ["HOST h", "503 "]]],
  ["starts anew after REIN", [...anonymous, ["REIN", "220 "], ["PWD", "530 "], ...anonymous]],
  [
    "starts in the login directory",
    [...anonymous, ["PWD", '257 "/home/a""b" '], ["CWD ..", "250 "], ["XPWD", '257 "/home" ']],
    { loginDirectory: '/home/a"b' },
  ],
  [
    "changes the working directory",
    [
      ...anonymous,
      ["CWD b", "550 "],
      ["CWD  b", "250 "],
      ["CWD a.txt", "550 "],
      ["CWD /", "250 "],
      ["CWD ", "250 "],
      ["CDUP", "250 "],
    ],
    { files: { " b/a.txt": "" } },
  ],
  [
    "names the size in image type only",
    [
      ...anonymous,
      ["SIZE a", "550 "],
      ["TYPE I", "200 "],
      ["SIZE a", "213 5"],
      ["SIZE b", "550 "],
      ["TYPE L 8", "200 "],
      ["SIZE a", "213 5"],
    ],
    { files: { a: "12\r\n5" } },
  ],
  ["knows types", [...anonymous, ["TYPE A N", "200 "], ["TYPE u", "200 "], ["TYPE L 7", "504 "]]],
  [
    "knows dates",
    [...anonymous, ["MDTM a", "213 20210304050607"], ["MDTM /", "550 "]],
    { files: { a: { content: "", modified: new Date("2021-03-04T05:06:07Z") } } },
  ],
  ["has features", [["FEAT", "211-"]]],
  [
    "may know none",
    [["FEAT", "500 "], ["OPTS UTF8 ON", "501 "], ...anonymous, ["MLSD", "500 "], ["MLST", "500 "]],
    { features: false },
  ],
  ["knows one structure and one mode", [...anonymous, ["STRU R", "504 "], ["MODE B", "504 "]]],
  [
    "has no TLS unless asked",
    [
      ["AUTH TLS", "502 "],
      ["PROT P", "503 "],
    ],
  ],
  ["wants a data connection", [...anonymous, ["RETR a", "425 "]], { files: { a: "" } }],
  ["doesn't know other commands", [...anonymous, ["XYZZY", "500 "]]],
];

describe("a good server", () => {
  it.each(dialogues)("%s", (_, dialogue, options) => hold(dialogue, options));
});

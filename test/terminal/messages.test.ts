import { expect, test } from "vitest";
import { FtpullError } from "../../src/errors.ts";
import type { Messages, MessagesOptions } from "../../src/terminal/messages.ts";
import { decoderFor } from "../../src/text/encoding.ts";
import { keepSecret } from "../../src/text/secrets.ts";
import { openMessages } from "./support.ts";

function open(details: Partial<MessagesOptions> = {}) {
  const { screen, messages } = openMessages(details);
  return { messages, written: () => screen.written };
}

const refused = new FtpullError("refused", 'cannot retrieve "x": server replied 550 "No"', {
  hint: "list the directory with: ftpull ftp://h/",
});

function sayEverything(messages: Messages, level: string): void {
  messages.warning("this is odd");
  messages.info("saved x");
  if (level === "verbose") {
    messages.command("CWD pub");
    messages.reply("250-one\n250 two");
  }
  messages.failure("ftp://h/x", refused);
}

const failure =
  'ftpull: ftp://h/x: cannot retrieve "x": server replied 550 "No"\n' +
  "hint: list the directory with: ftpull ftp://h/\n";
const normal = "ftpull: warning: this is odd\nftpull: saved x\n";
const dialogue = "> CWD pub\n< 250-one\n< 250 two\n";

test.each([
  ["quiet", failure],
  ["normal", normal + failure],
  ["verbose", normal + dialogue + failure],
] as const)("%s says what it should", (level, text) => {
  const { messages, written } = open({ level });
  sayEverything(messages, level);
  expect(written()).toBe(text);
});

test("a file whose name got a number is named, also with -q; what prevents it is said once", () => {
  const { messages, written } = open({ level: "quiet" });
  const numbered = { status: "done", exit: 0, isNumbered: true } as const;
  messages.result({ ...numbered, url: "ftp://h/x.7", file: "dl/x.7.1" });
  messages.result({ ...numbered, url: "ftp://h/y", file: "y.12" });
  expect(written()).toBe(
    'ftpull: ftp://h/x.7: saved as "dl/x.7.1"\n' +
      "hint: -N fetches only what is newer, -f replaces, -nc keeps\n" +
      'ftpull: ftp://h/y: saved as "y.12"\n',
  );
});

test("the same hint is given once for failures in a row", () => {
  const { messages, written } = open();
  for (const hint of ["one", undefined, "one", "two"])
    messages.failure("ftp://h/x", new FtpullError("other", "no", { hint }));
  expect(written().match(/hint: .*/g)).toEqual(["hint: one", "hint: two"]);
});

test("whatever it is given, one message is one line without controls (X4)", () => {
  const { messages, written } = open({ level: "verbose" });
  const evil = "a\r\nb\x1b[2J\u202e";
  const seen = "a\\x0d\\x0ab\\x1b[2J\\u202e";
  messages.warning(evil);
  messages.info(evil);
  messages.command("RETR \x1b]0;x\x07");
  messages.reply("250 \x1b[2J\r");
  messages.failure(`ftp://h/${evil}`, new FtpullError("other", evil, { hint: evil }));
  expect(written().split("\n")).toEqual([
    `ftpull: warning: ${seen}`,
    `ftpull: ${seen}`,
    "> RETR \\x1b]0;x\\x07",
    "< 250 \\x1b[2J\\x0d",
    `ftpull: ftp://h/${seen}: ${seen}`,
    `hint: ${seen}`,
    "",
  ]);
});

test("the lines of several sessions' dialogues have the session's number", () => {
  const { messages, written } = open({ level: "verbose", labelsSessions: true });
  messages.command("CWD pub", 1);
  messages.command("CWD etc", 12);
  messages.reply("250-one\n250 two", 1);
  expect(written()).toBe("1> CWD pub\n12> CWD etc\n1< 250-one\n1< 250 two\n");
});

test("the dialogue's octets are decoded", () => {
  const { messages, written } = open({ level: "verbose" });
  messages.command("CWD Gr\xc3\xbc\xc3\x9fe");
  messages.reply("250 \xe6\x9d\xb1\xe4\xba\xac");
  expect(written()).toBe("> CWD Grüße\n< 250 東京\n");
});

test("a secret that isn't UTF-8 is concealed before it is decoded (X2)", () => {
  const { messages, written } = open({ level: "verbose", decode: decoderFor() });
  keepSecret("geh\xe9im");
  messages.reply("530 geh\xe9im");
  expect(written()).toBe("< 530 ***\n");
});

test("close in the middle of a prompt leaves its line to it; what waited comes behind it", async () => {
  const { messages, written } = open();
  await messages.prompt(async () => {
    messages.info("one");
    messages.close();
    messages.failure(undefined, new FtpullError("other", "two"));
    expect(written()).toBe("");
  });
  messages.info("three");
  expect(written()).toBe("ftpull: one\nftpull: two\nftpull: three\n");
});

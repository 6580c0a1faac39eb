import { expect, test, vi } from "vitest";
import { FtpullError } from "../../src/errors.ts";
import { Messages, type MessagesOptions } from "../../src/terminal/messages.ts";
import { keepSecret } from "../../src/text/secrets.ts";
import { Screen } from "./screen.ts";

function open(details: Partial<MessagesOptions> = {}) {
  const stream = new Screen(80);
  const messages = new Messages({
    stream,
    level: "normal",
    progress: "none",
    decode: (octets) => Buffer.from(octets, "latin1").toString(),
    now: Date.now,
    showsStacks: false,
    ...details,
  });
  return { messages, written: () => stream.written };
}

const refused = new FtpullError("refused", 'cannot retrieve "x": server replied 550 "No"', {
  hint: "list the directory with: ftpull ftp://h/",
});

function sayEverything(messages: Messages): void {
  messages.warning("this is odd");
  messages.info("saved x");
  messages.command("CWD pub");
  messages.reply("250-one\n250 two");
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
  sayEverything(messages);
  expect(written()).toBe(text);
});

test.each([
  ["normal", "plain", ["taken"]],
  ["normal", "none", ["1", "taken", "2"]],
  ["quiet", "none", ["1", "2"]],
  ["quiet", "bar", []],
] as const)(
  "a file whose name got a number is named without progress, and the first one explained: %s, %s",
  (level, progress, expected) => {
    const { messages, written } = open({ level, progress });
    const saved = { status: "done", exit: 0, isNumbered: true } as const;
    messages.result({ ...saved, url: "ftp://h/x.7", file: "dl/x.7.1" });
    messages.result({ ...saved, url: "ftp://h/y", file: "y.12" });
    messages.close();
    const lines = {
      1: 'ftpull: ftp://h/x.7: saved as "dl/x.7.1"\n',
      2: 'ftpull: ftp://h/y: saved as "y.12"\n',
      taken:
        'ftpull: the name "dl/x.7" was taken: -N fetches only what is newer, -f replaces, -nc keeps\n',
    };
    expect(written()).toBe(expected.map((line) => lines[line]).join(""));
  },
);

test("the same advice is given once, also for another URL; each partial document has its own", () => {
  const { messages, written } = open();
  const hints = [
    "list the directory with: ftpull ftp://h/",
    "list the directory with: ftpull ftp://h/",
    "list the directory with: ftpull ftp://h/other/",
    '"a.ftpull" has 5 octets: go on with: the same command',
    '"b.ftpull" has 5 octets: go on with: the same command',
  ];
  for (const hint of hints) messages.failure("ftp://h/x", new FtpullError("other", "no", { hint }));
  const shown = written().split("\n");
  expect(shown.filter((line) => line.startsWith("ftpull: "))).toHaveLength(5);
  expect(shown.filter((line) => line.startsWith("hint: "))).toEqual(
    [hints[0], hints[3], hints[4]].map((hint) => `hint: ${hint}`),
  );
});

test("a failure of no URL, and one without a hint", () => {
  const { messages, written } = open();
  messages.failure(undefined, new FtpullError("usage", "no URL was given"));
  expect(written()).toBe("ftpull: no URL was given\n");
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

test("a stack trace, with its causes, is shown only for debugging", () => {
  const { messages, written } = open({ showsStacks: true });
  const cause = new TypeError("under\x1b it");
  messages.failure(undefined, new FtpullError("other", "above", { cause }));
  expect(written()).toMatch(
    /^ftpull: above\nFtpullError: above\n {4}at .+\ncaused by:\nTypeError: under\\x1b it\n/s,
  );
});

test("a secret with a backslash is shown by no stack trace, nor by what an error has beside it", () => {
  const { messages, written } = open({ showsStacks: true });
  const secret = "back\\slash";
  keepSecret(secret);
  const error = new FtpullError("other", `the server says ${secret}`, { hint: `not ${secret}` });
  messages.failure(undefined, error.with({ cause: new Error(secret) }));
  expect(written()).not.toMatch(/slash/);
});

test("a message during a prompt waits for its end, also when prompts are nested", () => {
  const { messages, written } = open();
  messages.suspend();
  messages.suspend();
  messages.info("one");
  messages.resume();
  expect(written()).toBe("");
  messages.resume();
  messages.resume();
  expect(written()).toBe("ftpull: one\n");
});

test("lines beside bars that can wait are written after the time of a frame, later ones too", () => {
  vi.useFakeTimers();
  try {
    const { messages, written } = open({ progress: "bar" });
    for (const file of ["a", "b"]) {
      messages.result({ url: "ftp://h/", status: "done", exit: 0, file, link: "x" });
      vi.advanceTimersByTime(100);
    }
    expect(written()).toBe('a: now a link to "x"\nb: now a link to "x"\n');
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  [64 * 1024, false],
  [64 * 1024 - 1, true],
])("a reader that leaves %i octets unread is caught up: %s", async (writableLength, isCaughtUp) => {
  const reads: (() => void)[] = [];
  const write = (_text: string, written?: () => void) => void reads.push(written!);
  const { messages } = open({ stream: { write, writableLength } });
  let isDone = false;
  const done = messages.caughtUp().then(() => (isDone = true));
  await new Promise(setImmediate);
  expect(isDone).toBe(isCaughtUp);
  for (const read of reads) read();
  await done;
});

test("close in the middle of a prompt prints what waited, and what comes later at once", () => {
  const { messages, written } = open();
  messages.suspend();
  messages.info("one");
  messages.close();
  messages.failure(undefined, new FtpullError("other", "two"));
  messages.close();
  messages.resume();
  expect(written()).toBe("ftpull: one\nftpull: two\n");
});

test.each([
  ["none", "normal", ""],
  ["final", "normal", "x: 0 B from ftp://h/\\x07x in 0s\n"],
  ["plain", "normal", "x: fetching 0 B from ftp://h/\\x07x\nx: 0 B in 0s\n"],
] as const)("progress %s at level %s", (progress, level, text) => {
  const { messages, written } = open({ progress, level, now: () => 0 });
  const document = { url: "ftp://h/\x07x", target: "x", size: 0, offset: 0 };
  const running = messages.begin(document);
  running.advance(0);
  running.end({});
  expect(written()).toBe(text);
});

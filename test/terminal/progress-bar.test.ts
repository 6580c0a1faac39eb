import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DocumentStart } from "../../src/documents/events.ts";
import { Messages } from "../../src/terminal/messages.ts";
import { Screen } from "./screen.ts";

const MiB = 1024 ** 2;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open(columns = 80, rows = 24, mayDraw?: () => boolean) {
  const screen = new Screen(columns, rows);
  const messages = new Messages({
    ...(mayDraw && { mayDraw }),
    stream: screen,
    level: "normal",
    progress: "bar",
    decode: (octets) => octets,
    now: Date.now,
    showsStacks: false,
  });
  return { screen, messages };
}

async function begin(messages: Messages, details: Partial<DocumentStart> = {}) {
  const document = { url: "ftp://h/x.iso", target: "out/x.iso", size: 100 * MiB, offset: 0 };
  const running = messages.begin({ ...document, ...details });
  await vi.dynamicImportSettled();
  return running;
}

const atTheStart = "x.iso              0% [               ]      0/100 MiB";
const atTheHalf = "x.iso             50% [======>        ]     50/100 MiB  10.0 MiB/s      5s left";

test("the bar follows the document, and its last line stays", async () => {
  const { screen, messages } = open();
  const running = await begin(messages);
  expect(screen.lines).toEqual([atTheStart]);
  running.advance(50 * MiB);
  vi.advanceTimersByTime(5000);
  expect(screen.lines).toEqual([atTheHalf]);
  running.advance(100 * MiB);
  running.end({});
  expect(screen.lines).toEqual(["out/x.iso: 100 MiB in 5s (20.0 MiB/s)"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("the bar of a document that broke off says how far it came, and the next one where it goes on", async () => {
  const { screen, messages } = open();
  const running = await begin(messages);
  running.advance(50 * MiB);
  running.end();
  running.end({});
  await begin(messages, { offset: 40 * MiB });
  expect(screen.lines).toEqual([
    "out/x.iso: stopped at 52428800 octets",
    "out/x.iso: fetching 100 MiB from ftp://h/x.iso, resuming at 40.0 MiB",
    "x.iso             40% [=====>         ]     40/100 MiB",
  ]);
});

test("a document that ends before a bar could be drawn has its line all the same", () => {
  const { screen, messages } = open();
  messages.begin({ url: "ftp://h/x", target: "x", size: 0, offset: 0 }).end({});
  expect(screen.lines).toEqual(["x: 0 B in 0s"]);
});

test("drawing is limited to ten times a second, however often data comes", async () => {
  const { screen, messages } = open();
  const running = await begin(messages);
  const before = screen.writes;
  for (let read = 1; read <= 50_000; read++) {
    running.advance(read * 1000);
    if (read % 25 === 0) vi.advanceTimersByTime(1);
  }
  expect(screen.writes - before).toBe(20);
});

test("a message stands above the bar, and does not tear it", async () => {
  const { screen, messages } = open();
  await begin(messages);
  messages.info("first");
  messages.warning("second, " + "long ".repeat(30).trimEnd());
  expect(screen.lines).toEqual([
    "ftpull: first",
    "ftpull: warning: second, " + "long ".repeat(30).trimEnd(),
    atTheStart,
  ]);
});

test("while a prompt is shown there is no bar, and messages wait", async () => {
  const { screen, messages } = open();
  const running = await begin(messages);
  messages.suspend();
  screen.write("Password: ");
  messages.warning("meanwhile");
  running.advance(50 * MiB);
  vi.advanceTimersByTime(5000);
  expect(screen.lines).toEqual(["Password:"]);
  screen.write("\n");
  messages.resume();
  expect(screen.lines).toEqual(["Password:", "ftpull: warning: meanwhile", atTheHalf]);
});

test("several documents have a bar each", async () => {
  const { screen, messages } = open();
  const first = await begin(messages, { target: "a" });
  const second = await begin(messages, { target: "b" });
  await begin(messages, { target: "c" });
  first.advance(100 * MiB);
  second.advance(50 * MiB);
  vi.advanceTimersByTime(5000);
  expect(screen.lines).toEqual([
    "a                100% [===============]    100/100 MiB  20.0 MiB/s",
    "b                 50% [======>        ]     50/100 MiB  10.0 MiB/s      5s left",
    "c                  0% [               ]      0/100 MiB       0 B/s",
  ]);
  first.end({});
  expect(screen.lines).toEqual([
    "a: 100 MiB in 5s (20.0 MiB/s)",
    "b                 50% [======>        ]     50/100 MiB  10.0 MiB/s      5s left",
    "c                  0% [               ]      0/100 MiB       0 B/s",
  ]);
  second.end();
  expect(screen.lines).toEqual([
    "a: 100 MiB in 5s (20.0 MiB/s)",
    "b: stopped at 52428800 octets",
    "c                  0% [               ]      0/100 MiB       0 B/s",
  ]);
});

test("there are never more bars than rows less one", async () => {
  const { screen, messages } = open(40, 4);
  for (const target of ["a", "b", "c", "d", "e"]) await begin(messages, { target });
  expect(screen.lines).toEqual(["a           0%", "b           0%", "c           0%"]);
  screen.resize(40, 2);
  vi.advanceTimersByTime(100);
  expect(screen.lines).toEqual(["a           0%       0 B/s"]);
});

test("after a resize the next frame has the new width", async () => {
  const { screen, messages } = open();
  await begin(messages);
  for (const columns of [60, 40, 30, 20]) {
    screen.resize(columns, 24);
    vi.advanceTimersByTime(100);
    expect(screen.lines).toHaveLength(1);
    expect(screen.lines.at(-1)?.length).toBeLessThan(columns);
  }
  expect(screen.lines).toEqual(["x.iso            0%"]);
});

test("without a size from the terminal, 80 columns are taken", async () => {
  const { screen, messages } = open(0, 0);
  await begin(messages);
  expect(screen.lines).toEqual([atTheStart]);
});

test("close takes the bar away at once and for good, and messages still come", async () => {
  const { screen, messages } = open();
  const running = await begin(messages);
  messages.close();
  expect(screen.lines).toEqual([]);
  messages.info("kept x.iso.part");
  messages.resume();
  screen.resize(40, 24);
  await begin(messages);
  running.advance(MiB);
  vi.advanceTimersByTime(1000);
  messages.close();
  expect(screen.lines).toEqual(["ftpull: kept x.iso.part"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("the terminal's state is never left changed between frames, so a kill does no harm", async () => {
  const { screen, messages } = open();
  await begin(messages);
  expect(screen.wraps).toBe(true);
  expect(screen.written).not.toContain("\x1b[?25l");
});

test("a name can't steer the terminal (X4)", async () => {
  const { screen, messages } = open();
  await begin(messages, { target: "out/\x1b[2J\u202e.iso" });
  expect(screen.lines).toEqual(["\\x1b[2J\\…02e.iso   0% [               ]      0/100 MiB"]);
});

test("stopped when the shell has the terminal already, it clears what is below the shell's line", async () => {
  let isInForeground = true;
  const { screen, messages } = open(80, 24, () => isInForeground);
  for (const target of ["a", "b", "c"]) await begin(messages, { target });
  expect(screen.lines).toHaveLength(3);
  isInForeground = false;
  screen.write("\n$ ");
  messages.suspend();
  expect(screen.lines).toEqual([expect.stringMatching(/^a/), "$"]);
  screen.write("bg");
  messages.resume();
  vi.advanceTimersByTime(1000);
  expect(screen.lines.at(-1)).toBe("$ bg");
});

/** Progress of files and trees: on a terminal, in a log, and with -nv. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TreeCount } from "../../src/documents/tree/tree-count.ts";
import { begin, frames, KiB, MiB, openMessages, saved } from "./support.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const file = (size: number | undefined) => ({ type: "file", size }) as const;
const directory = { type: "directory", size: undefined } as const;

/** A tree of three directories with so many files of 100 KiB. */
function treeOf(files: number): TreeCount {
  const count = new TreeCount("ftp://h/pub/");
  for (let index = 0; index < files; index++) count.found(file(100 * KiB));
  count.found(directory);
  count.found(directory);
  return count;
}

const inTree = (name: string, offset = 0) => ({
  url: `ftp://h/pub/${name}`,
  target: `pub/${name}`,
  size: 100 * KiB,
  offset,
  inTree: true,
});

describe("on a terminal", () => {
  const bars = (columns = 80, rows = 24) => openMessages({ progress: "bar" }, columns, rows);
  const atTheStart = "x.iso                  0% [          ]      0/100 MiB";
  const atTheHalf =
    "x.iso                 50% [=====     ]     50/100 MiB  10.0 MiB/s      5s left";

  test("the bar follows the file, and its last line stays", async () => {
    const { screen, messages } = bars();
    const running = await begin(messages);
    frames();
    expect(screen.lines).toEqual([atTheStart]);
    running.advance(50 * MiB);
    vi.advanceTimersByTime(4900);
    expect(screen.lines).toEqual([atTheHalf]);
    running.advance(100 * MiB);
    running.end(saved(5));
    expect(screen.lines).toEqual(["out/x.iso: 100 MiB in 5s (20.0 MiB/s)"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("messages stand above several bars, and do not tear them; none is lost at the end", async () => {
    const { screen, messages } = bars();
    for (const target of ["a", "b"]) await begin(messages, { target });
    frames();
    messages.info("first");
    messages.warning("second, " + "long ".repeat(30).trimEnd());
    messages.info("third");
    frames();
    expect(screen.lines.map((line) => line.slice(0, 23))).toEqual(
      ["ftpull: first", "ftpull: warning: second", "ftpull: third", "a", "b"].map((start) =>
        expect.stringMatching(new RegExp(`^${start}`)),
      ),
    );
    messages.info("fourth");
    messages.close();
    expect(screen.lines.slice(3)).toEqual(["ftpull: fourth"]);
  });

  test("prompts come one after the other; meanwhile there is no bar, and messages wait", async () => {
    const { screen, messages } = bars();
    const running = await begin(messages);
    frames();
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const prompts = [
      messages.prompt(() => (screen.write("Password: "), answered)),
      messages.prompt(async () => screen.write("Account: ")),
    ];
    await vi.advanceTimersByTimeAsync(0);
    messages.warning("meanwhile");
    running.advance(50 * MiB);
    vi.advanceTimersByTime(4900);
    expect(screen.lines).toEqual(["Password:"]);
    screen.write("\n");
    answer();
    await Promise.all(prompts);
    expect(messages.promptedMs).toBe(4900);
    screen.write("\n");
    frames();
    expect(screen.lines.slice(0, 3)).toEqual([
      "Password:",
      "ftpull: warning: meanwhile",
      "Account:",
    ]);
    expect(screen.lines[3]).toContain("50/100 MiB");
  });

  test("each file has a bar, in the order in which they began", async () => {
    const { screen, messages } = bars();
    const [a, b] = [await begin(messages, { target: "a" }), await begin(messages, { target: "b" })];
    await begin(messages, { target: "c" });
    a.advance(100 * MiB);
    b.advance(50 * MiB);
    vi.advanceTimersByTime(5000);
    expect(screen.lines).toEqual([
      "a                    100% [==========]    100/100 MiB  20.0 MiB/s",
      "b                     50% [=====     ]     50/100 MiB  10.0 MiB/s      5s left",
      "c                      0% [          ]      0/100 MiB       0 B/s",
    ]);
    b.end(saved(5));
    frames();
    const rows = () => screen.linesWithEmpty.map((line) => line.slice(0, 2).trim());
    expect(rows().slice(0, 3)).toEqual(["b:", "a", "c"]);
    await begin(messages, { target: "d" });
    frames();
    expect(rows()).toEqual(["b:", "a", "c", "d"]);
  });

  test("there are never more bars than rows less one", async () => {
    const { screen, messages } = bars(40, 4);
    for (const target of ["a", "b", "c", "d", "e"]) await begin(messages, { target });
    frames();
    expect(screen.lines).toHaveLength(3);
  });

  test("close takes the bars away at once and for good, and messages still come", async () => {
    const { screen, messages } = bars();
    const running = await begin(messages);
    frames();
    messages.close();
    expect(screen.lines).toEqual([]);
    messages.info("kept x.iso.part");
    running.advance(MiB);
    vi.advanceTimersByTime(1000);
    messages.close();
    expect(screen.lines).toEqual(["ftpull: kept x.iso.part"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("a name can't steer the terminal (X4)", async () => {
    const { screen, messages } = bars();
    await begin(messages, { target: "out/\x1b[2J.iso" });
    frames();
    expect(screen.lines[0]).toMatch(/^\\x1b\[2J\.iso /);
  });

  test("a tree has its totals below its files", async () => {
    const { screen, messages } = bars(80, 4);
    const tree = treeOf(4);
    messages.tree(tree);
    await vi.dynamicImportSettled();
    frames();
    expect(screen.lines).toEqual([expect.stringMatching(/^0 of 4 files, 3 dir.* 0\/400 KiB$/)]);
    const running = await begin(messages, inTree("x"));
    for (const name of ["y", "z"]) await begin(messages, inTree(name));
    running.advance(50 * KiB);
    frames();
    expect(screen.lines.map((line) => line.slice(0, 5).trim())).toEqual(["x", "y", "0 of"]);
    expect(screen.lines.at(-1)).toMatch(/ 50\/400 KiB/);
    running.end(saved(1));
    tree.ended(file(100 * KiB));
    frames();
    expect(screen.lines[0]).toBe("pub/x: 50.0 KiB in 1s (50.0 KiB/s)");
    expect(screen.lines.at(-1)).toMatch(/^1 of 4 files, 3 dir.* 100\/400 KiB/);
  });
});

describe("in a log", () => {
  const log = () => openMessages({ progress: "plain" });

  test("a line at the start, every ten seconds and at the end", async () => {
    const { screen, messages } = log();
    const running = await begin(messages);
    for (let position = 0; position <= 100 * MiB; position += 4 * MiB) {
      running.advance(position);
      vi.advanceTimersByTime(1000);
    }
    running.end(saved(26));
    vi.advanceTimersByTime(60_000);
    expect(screen.lines).toEqual([
      "out/x.iso: fetching 100 MiB from ftp://h/x.iso",
      "out/x.iso: 36%, 36/100 MiB, 3.6 MiB/s, 18s left",
      "out/x.iso: 76%, 76/100 MiB, 3.8 MiB/s, 7s left",
      "out/x.iso: 100 MiB in 26s (3.8 MiB/s)",
    ]);
  });

  test("a resumed file says where it goes on, and counts only new bytes for the speed", async () => {
    const { screen, messages } = log();
    const running = await begin(messages, { offset: 80 * MiB });
    running.advance(90 * MiB);
    vi.advanceTimersByTime(10_000);
    running.advance(100 * MiB);
    running.end(saved(20, 80 * MiB));
    expect(screen.lines).toEqual([
      "out/x.iso: fetching 100 MiB from ftp://h/x.iso, resuming at 80.0 MiB",
      "out/x.iso: 90%, 90/100 MiB, 1.0 MiB/s, 10s left",
      "out/x.iso: 100 MiB, 20.0 MiB of it now, in 20s (1.0 MiB/s)",
    ]);
  });

  test("a tree has a line at its start and one every ten seconds, and each file one at its end", async () => {
    const { screen, messages } = log();
    const tree = treeOf(340);
    messages.tree(tree);
    for (let second = 0; second < 30; second++) {
      const running = await begin(messages, inTree(`${second}`));
      running.advance(100 * KiB);
      running.end(saved(0));
      tree.ended(file(100 * KiB));
      vi.advanceTimersByTime(1000);
    }
    const ends = screen.lines.filter((line) => line.startsWith("pub/"));
    expect(ends).toHaveLength(30);
    expect(ends[0]).toBe("pub/0: 100 KiB from ftp://h/pub/0 in 0s");
    expect(screen.lines.filter((line) => !line.startsWith("pub/"))).toEqual([
      "files of ftp://h/pub/",
      "10 of 340 files, 3 directories to list, 0.9/33.2 MiB, 100 KiB/s",
      "20 of 340 files, 3 directories to list, 1.9/33.2 MiB, 100 KiB/s",
      "30 of 340 files, 3 directories to list, 2.9/33.2 MiB, 100 KiB/s",
    ]);
    tree.hasEnded = true;
    vi.advanceTimersByTime(60_000);
    messages.close();
    expect(screen.lines).toHaveLength(34);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("the rate of a tree is that of what this run has received; running files count", async () => {
    const { screen, messages } = log();
    const tree = treeOf(300);
    messages.tree(tree);
    for (let unchanged = 0; unchanged < 290; unchanged++) tree.ended(file(100 * KiB));
    const resumed = await begin(messages, inTree("x", 90 * KiB));
    resumed.advance(100 * KiB);
    vi.advanceTimersByTime(10_000);
    expect(screen.lines.at(-1)).toBe(
      "290 of 300 files, 3 directories to list, 28.4/29.3 MiB, 1.0 KiB/s",
    );
  });
});

test("with -nv the last lines alone, with their URLs", async () => {
  const { screen, messages } = openMessages({ progress: "final" });
  messages.tree(treeOf(2));
  const first = await begin(messages, inTree("x"));
  vi.advanceTimersByTime(10_000);
  first.advance(100 * KiB);
  first.end(saved(10));
  (await begin(messages, inTree("y"))).end();
  expect(screen.lines).toEqual(["pub/x: 100 KiB from ftp://h/pub/x in 10s (10.0 KiB/s)"]);
});

test("a tree's top is to be listed, and links and unknown sizes count as files without bytes", () => {
  const count = new TreeCount("ftp://h/pub/");
  const link = { type: "link", size: 7 } as const;
  for (const entry of [file(5), file(undefined), link, directory]) count.found(entry);
  expect(count).toMatchObject({ files: 3, octets: 5, directories: 2, filesEnded: 0 });
  for (const entry of [file(5), link, directory]) count.ended(entry);
  expect(count).toMatchObject({ files: 3, filesEnded: 2, octetsEnded: 5, directories: 1 });
});

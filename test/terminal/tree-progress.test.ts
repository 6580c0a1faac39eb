/** The progress of a tree: in a log, with -nv, and on a terminal. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TreeCount } from "../../src/documents/tree/tree-count.ts";
import { treeLine } from "../../src/terminal/bar-line.ts";
import { Messages, type MessagesOptions } from "../../src/terminal/messages.ts";
import { TreeTotals } from "../../src/terminal/tree-totals.ts";
import { Screen } from "./screen.ts";

const KiB = 1024;
const MiB = 1024 ** 2;
const file = (size: number | undefined) => ({ type: "file", size }) as const;
const directory = { type: "directory", size: undefined } as const;
const link = { type: "link", size: 7 } as const;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open(options: Partial<MessagesOptions>, columns = 80, rows = 24) {
  const screen = new Screen(columns, rows);
  const messages = new Messages({
    stream: screen,
    level: "normal",
    progress: "plain",
    decode: (octets) => octets,
    now: Date.now,
    showsStacks: false,
    ...options,
  });
  return { screen, messages };
}

/** A tree of three directories with so many files of 100 KiB. */
function treeOf(files: number): TreeCount {
  const count = new TreeCount("ftp://h/pub/");
  for (let index = 0; index < files; index++) count.found(file(100 * KiB));
  count.found(directory);
  count.found(directory);
  return count;
}

/** Begins a file of a tree; bars are drawn when their library is loaded. */
async function begin(messages: Messages, name: string, size = 100 * KiB, offset = 0) {
  const document = { url: `ftp://h/pub/${name}`, target: `pub/${name}`, inTree: true };
  const running = messages.begin({ ...document, size, offset });
  await vi.dynamicImportSettled();
  return running;
}

describe("what a tree has", () => {
  test("its top is to be listed, and links and unknown sizes count as files without octets", () => {
    const count = new TreeCount("ftp://h/pub/");
    for (const entry of [file(5), file(undefined), link, directory]) count.found(entry);
    expect(count).toMatchObject({ files: 3, octets: 5, directories: 2, filesEnded: 0 });
    for (const entry of [file(5), link, directory]) count.ended(entry);
    expect(count).toMatchObject({ files: 3, filesEnded: 2, octetsEnded: 5, directories: 1 });
  });

  test.each([
    [3, "0 of 0 files, 3 directories to list"],
    [1, "0 of 0 files, 1 directory to list"],
    [0, "0 of 0 files"],
  ])("%d directories to list: %s", (directories, counts) => {
    const figures = new TreeTotals();
    figures.add(Object.assign(new TreeCount("ftp://h/"), { directories }), () => 0);
    expect(figures.counts).toBe(counts);
  });

  test("several trees are counted together, and run until the last one has ended", () => {
    const figures = new TreeTotals();
    const trees = [treeOf(2), treeOf(3)] as const;
    for (const tree of trees) figures.add(tree, () => 0);
    expect(figures.line()).toBe("0 of 5 files, 6 directories to list, 0 B of 500 KiB");
    trees[0].hasEnded = true;
    expect(figures.isRunning).toBe(true);
    trees[1].hasEnded = true;
    expect(figures.isRunning).toBe(false);
  });
});

describe("in a log", () => {
  test("a tree has a line at its start and one every ten seconds, and each file one at its end", async () => {
    const { screen, messages } = open({});
    const tree = treeOf(340);
    messages.tree(tree);
    for (let second = 0; second < 30; second++) {
      const running = await begin(messages, `${second}`);
      running.advance(100 * KiB);
      running.end({});
      tree.ended(file(100 * KiB));
      vi.advanceTimersByTime(1000);
    }
    const ends = screen.lines.filter((line) => line.startsWith("pub/"));
    expect(ends).toHaveLength(30);
    expect(ends[0]).toBe("pub/0: 100 KiB from ftp://h/pub/0 in 0s");
    expect(screen.lines.filter((line) => !line.startsWith("pub/"))).toEqual([
      "files of ftp://h/pub/",
      "10 of 340 files, 3 directories to list, 1000 KiB of 33.2 MiB, 100 KiB/s",
      "20 of 340 files, 3 directories to list, 2.0 MiB of 33.2 MiB, 100 KiB/s",
      "30 of 340 files, 3 directories to list, 2.9 MiB of 33.2 MiB, 100 KiB/s",
    ]);
    tree.hasEnded = true;
    vi.advanceTimersByTime(60_000);
    messages.close();
    expect(screen.lines).toHaveLength(34);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("files that are running count, and one of an unknown size is no reason for more than all", async () => {
    const { screen, messages } = open({});
    messages.tree(treeOf(0));
    const running = await begin(messages, "x");
    running.advance(5 * MiB);
    vi.advanceTimersByTime(10_000);
    expect(screen.lines.at(-1)).toBe(
      "0 of 0 files, 3 directories to list, 5.0 MiB of 5.0 MiB, 512 KiB/s",
    );
  });

  test("the rate is that of what this run has received, not of what was there", async () => {
    const { screen, messages } = open({});
    const tree = treeOf(300);
    messages.tree(tree);
    for (let unchanged = 0; unchanged < 290; unchanged++) tree.ended(file(100 * KiB));
    const resumed = await begin(messages, "x", 100 * KiB, 90 * KiB);
    resumed.advance(100 * KiB);
    vi.advanceTimersByTime(10_000);
    expect(screen.lines.at(-1)).toBe(
      "290 of 300 files, 3 directories to list, 28.4 MiB of 29.3 MiB, 1.0 KiB/s",
    );
  });

  test("a file that breaks off has no line: the next try tells why", async () => {
    const { screen, messages } = open({});
    (await begin(messages, "x")).end();
    expect(screen.lines).toEqual([]);
  });

  test("with -nv these lines alone", async () => {
    const { screen, messages } = open({ progress: "final" });
    messages.tree(treeOf(2));
    const first = await begin(messages, "x");
    vi.advanceTimersByTime(10_000);
    first.advance(100 * KiB);
    first.end({});
    (await begin(messages, "y")).end();
    expect(screen.lines).toEqual(["pub/x: 100 KiB from ftp://h/pub/x in 10s (10.0 KiB/s)"]);
  });

  test("with --progress none nothing", async () => {
    const { screen, messages } = open({ progress: "none" });
    messages.tree(treeOf(2));
    await begin(messages, "x");
    vi.advanceTimersByTime(10_000);
    expect(screen.lines).toEqual([]);
  });
});

describe("on a terminal", () => {
  test("the running files and the whole are shown, and a finished file leaves its line", async () => {
    const { screen, messages } = open({ progress: "bar" });
    const tree = treeOf(4);
    messages.tree(tree);
    await vi.dynamicImportSettled();
    expect(screen.lines).toEqual([expect.stringMatching(/^0 of 4 files, 3 dir.* 0\/400 KiB$/)]);
    const running = await begin(messages, "x");
    running.advance(50 * KiB);
    vi.advanceTimersByTime(5000);
    expect(screen.lines).toEqual([
      "x                 50% [======>        ]     50/100 KiB  10.0 KiB/s      5s left",
      "0 of 4 files, 3 directories to list                      50/400 KiB  10.0 KiB/s",
    ]);
    running.end({});
    tree.ended(file(100 * KiB));
    vi.advanceTimersByTime(1000);
    expect(screen.lines).toEqual([
      "pub/x: 50.0 KiB in 5s (10.0 KiB/s)",
      expect.stringMatching(/^1 of 4 files, 3 dir.* 100\/400 KiB /),
    ]);
  });

  test("a file keeps its row when another ends, and the next file takes the free one", async () => {
    const { screen, messages } = open({ progress: "bar" });
    messages.tree(treeOf(9));
    const [a, , c] = [
      await begin(messages, "a"),
      await begin(messages, "b"),
      await begin(messages, "c"),
    ];
    const rows = () => {
      vi.advanceTimersByTime(1000);
      const shown = screen.linesWithEmpty.filter((line) => !line.startsWith("pub/"));
      return shown.map((line) => line.split(" ")[0]);
    };
    expect(rows()).toEqual(["a", "b", "c", "0"]);
    a.end({});
    expect(rows()).toEqual(["", "b", "c", "0"]);
    await begin(messages, "d");
    expect(rows()).toEqual(["d", "b", "c", "0"]);
    c.end({});
    await begin(messages, "e");
    expect(rows()).toEqual(["d", "b", "e", "0"]);
  });

  test("thousands of small files draw ten times a second, not once each", async () => {
    const { screen, messages } = open({ progress: "bar" });
    messages.tree(treeOf(5000));
    (await begin(messages, "first")).end({});
    vi.advanceTimersByTime(100);
    const before = screen.writes;
    for (let index = 0; index < 5000; index++) {
      const document = { url: "ftp://h/x", target: "x", size: 1, offset: 0, inTree: true };
      messages.begin(document).end({});
      if (index % 5 === 0) vi.advanceTimersByTime(1);
    }
    await vi.dynamicImportSettled();
    // Bars, and for the lines: bars away, lines, bars again.
    expect(screen.writes - before).toBeLessThanOrEqual(40);
    messages.close();
    expect(screen.lines).toHaveLength(5001);
  });

  test("a message stands above the rows, and a document beside the tree keeps its line", async () => {
    const { screen, messages } = open({ progress: "bar" });
    messages.tree(treeOf(1));
    await begin(messages, "x");
    messages.warning("no link");
    const single = { url: "ftp://h/y", target: "y", size: 10, offset: 0 };
    const running = messages.begin(single);
    await vi.dynamicImportSettled();
    running.advance(10);
    running.end({});
    expect(screen.lines.map((line) => line.split(/ {2,}/)[0])).toEqual([
      "ftpull: warning: no link",
      "y: 10 B in 0s",
      expect.stringMatching(/^x/),
      "0 of 1 files, 3 directories to list",
    ]);
  });

  test("in a low window the whole has the last row, and files those above that there are", async () => {
    const { screen, messages } = open({ progress: "bar" }, 80, 3);
    messages.tree(treeOf(9));
    for (const name of ["a", "b", "c"]) await begin(messages, name);
    expect(screen.lines.map((line) => line.split(" ")[0])).toEqual(["a", "0"]);
  });

  test("when the tree has ended, the lines of its files are left, in their order", async () => {
    const { screen, messages } = open({ progress: "bar" });
    const tree = treeOf(1);
    messages.tree(tree);
    (await begin(messages, "x")).end({});
    tree.hasEnded = true;
    messages.info("total: 1 file");
    messages.close();
    expect(screen.lines).toEqual(["pub/x: 0 B in 0s", "ftpull: total: 1 file"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the line of a tree", () => {
  const counts = "12 of 340 files, 3 directories to list";
  const figures = { position: 1.2 * MiB, size: 30 * MiB, rate: 300 * KiB, elapsedSeconds: 4 };

  test.each([
    [80, `${counts}                  1.2/30.0 MiB   300 KiB/s`],
    [66, `${counts}    1.2/30.0 MiB   300 KiB/s`],
    [54, `${counts}       300 KiB/s`],
    [40, counts],
    [30, "12 of 340 files…tories to list"],
    [12, "12 of … list"],
  ])("at %d columns", (columns, expected) => {
    const line = treeLine(counts, figures, columns);
    expect(line).toBe(expected);
    expect(line.length).toBeLessThanOrEqual(columns);
  });

  test("its figures stay in their places while they grow", () => {
    const end = (text: string) => text.indexOf(" MiB ");
    const later = treeLine("340 of 340 files", { ...figures, position: 30 * MiB }, 80);
    expect(end(later)).toBe(end(treeLine(counts, figures, 80)));
  });
});

/** The progress of a run, as lines at the bottom of a terminal, or as lines for logs. */
import type { DocumentProgress, DocumentStart, Saved } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { counted } from "../text/units.ts";
import * as lines from "./lines.ts";

const intervalMs = 10_000;

/**
 * "plain" prints a line at a file's start, every ten seconds and at its end, of a tree's file only at its end;
 * "final" prints the last of these lines; "bar" prints it above lines that display.ts draws.
 */
export type ProgressStyle = "bar" | "plain" | "final";

interface ProgressOptions {
  readonly style: ProgressStyle;
  readonly now: () => number;
  readonly print: (line: string) => void;
  /** Called when the first file or tree has begun, and when the last one has ended. */
  readonly changed: () => void;
}

type RunningFile = lines.Running & DocumentStart;

export class Progress {
  readonly #options: ProgressOptions;
  /** The files that are fetched now. */
  readonly #running = new Set<RunningFile>();
  readonly #trees: TreeCount[] = [];
  #treesBegunMs = 0;
  /** Bytes that this run has received for all trees. */
  #treeOctets = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#isClosed || (this.#running.size === 0 && !this.#isTreeRunning);
  }

  begin(document: DocumentStart): DocumentProgress {
    const file = { position: document.offset, begunMs: this.#options.now(), ...document };
    this.#running.add(file);
    if (this.#isFollowed(document)) this.#options.print(lines.startLine(document));
    this.#follow();
    this.#options.changed();
    return {
      advance: (position) => {
        if (file.inTree) this.#treeOctets += position - file.position;
        file.position = position;
      },
      end: (saved) => this.#end(file, saved),
    };
  }

  #end(file: RunningFile, saved: Saved | undefined): void {
    const { style, print, changed } = this.#options;
    const isShort = style !== "bar" && !this.#isFollowed(file);
    if (this.#running.delete(file) && saved !== undefined)
      print(lines.endLine(file, saved, isShort ? file.url : undefined));
    changed();
  }

  tree(count: TreeCount): void {
    const { style, now, print, changed } = this.#options;
    if (style === "final" || this.#trees.includes(count)) return;
    if (this.#trees.length === 0) this.#treesBegunMs = now();
    this.#trees.push(count);
    const place = count.place === undefined ? "" : `, in "${count.place}"`;
    if (style === "plain") print(`files of ${count.url}${place}`);
    this.#follow();
    changed();
  }

  /** The lines of the files, below them the one of all trees; a low terminal has the first files only. */
  lines(columns: number, rows: number): string[] {
    const nowMs = this.#options.now();
    const totals = this.#isTreeRunning ? [lines.treeLine(this.#allTrees, nowMs, columns)] : [];
    const files = [...this.#running].slice(0, rows - totals.length);
    return [...files.map((file) => lines.barLine(file, nowMs, columns)), ...totals];
  }

  close(): void {
    clearInterval(this.#timer);
    this.#isClosed = true;
    this.#running.clear();
  }

  #isFollowed({ inTree }: DocumentStart): boolean {
    return this.#options.style === "plain" && !inTree;
  }

  #follow(): void {
    if (this.#options.style !== "plain" || this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#printRunning(), intervalMs).unref();
  }

  #printRunning(): void {
    const { now, print } = this.#options;
    for (const file of this.#running) if (!file.inTree) print(lines.fileText(file, now()));
    if (this.#isTreeRunning) print(lines.treeText(this.#allTrees, now()));
  }

  get #isTreeRunning(): boolean {
    return this.#trees.some(({ hasEnded }) => !hasEnded);
  }

  /** Unchanged files and bytes of earlier runs are here, too. */
  get #allTrees(): lines.Running {
    let position = this.#sum("octetsEnded");
    for (const file of this.#running) if (file.inTree) position += file.position;
    const size = Math.max(position, this.#sum("octets"));
    const offset = position - this.#treeOctets;
    return { target: this.#counts, size, offset, begunMs: this.#treesBegunMs, position };
  }

  get #counts(): string {
    const files = `${this.#sum("filesEnded")} of ${this.#sum("files")} files`;
    const directories = this.#sum("directories");
    if (directories === 0) return files;
    return `${files}, ${counted(directories, "directory", "directories")} to list`;
  }

  #sum(key: "files" | "filesEnded" | "octets" | "octetsEnded" | "directories"): number {
    return this.#trees.reduce((sum, count) => sum + count[key], 0);
  }
}

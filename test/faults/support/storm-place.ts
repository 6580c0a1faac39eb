/**
 * A directory in which runs of the program, and other users, work at once: what may be in it, and what must never
 * happen beside it. All checks hold at any moment, also while runs are under way.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { generatedOctets } from "../../support/generated.ts";
import { localTree } from "../../support/local-tree.ts";
import { type RunningProgram, type RunResult, startProgram } from "../../support/run.ts";
import { run as runHere } from "../../support/run-here.ts";
import type { Step } from "../../support/script.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import type { Random } from "./random.ts";

/** Limit that tells a slow machine from a program that hangs. */
const timeoutMs = 600_000;

/** A file's content as localTree has it, in each version that the server has or had. */
export type Versions = string[];

export interface StartOptions {
  readonly env?: Record<string, string>;
}

export class Place {
  readonly server: ScriptedServer;
  /** The runs' working directory. */
  readonly cwd: string;
  /** A directory beside it, in which nothing may change. */
  readonly outside: string;
  /** The files, links and directories (which end in "/") of a whole copy, by path. */
  readonly files: Map<string, Versions>;
  readonly story: string[] = [];
  #isLast = false;
  /** A kill while a file is given its name leaves the private name. */
  #wasKilled = false;

  private constructor(base: string, server: ScriptedServer, files: Map<string, Versions>) {
    this.server = server;
    this.files = files;
    this.cwd = join(base, "here");
    this.outside = join(base, "outside");
    mkdirSync(this.cwd);
    mkdirSync(this.outside);
    writeFileSync(join(this.outside, "victim"), "the victim's");
  }

  static async make(
    server: ScriptedServer,
    files: Readonly<Record<string, Buffer | readonly Buffer[] | string>>,
  ): Promise<Place> {
    const versions = Object.entries(files).map(([path, content]) => {
      const all = Buffer.isBuffer(content) || typeof content === "string" ? [content] : content;
      return [path, all.map((each) => each.toString("latin1"))] as const;
    });
    return new Place(await temporaryDirectory(), server, new Map(versions));
  }

  start(args: readonly string[], { env = {} }: StartOptions = {}): Promise<RunningProgram> {
    this.story.push(`begins: ftpull ${args.join(" ")}`);
    return startProgram(["--progress", "none", ...args], { cwd: this.cwd, env, timeoutMs });
  }

  /** Waits for the end of a run, which has brought `paths`, by default all files, if its status is 0. */
  async ended(program: RunningProgram, paths?: readonly string[]): Promise<RunResult> {
    program.child.stdin.end();
    return this.#judged(await program.finished, paths);
  }

  async run(args: readonly string[], paths?: readonly string[], options: StartOptions = {}) {
    return this.ended(await this.start(args, options), paths);
  }

  /** A run inside this process, where waiting takes no time. */
  async runHere(args: readonly string[], paths?: readonly string[]): Promise<RunResult> {
    this.story.push(`begins: ftpull ${args.join(" ")}`);
    const all = ["--progress", "none", ...args];
    return this.#judged(await runHere(all, { cwd: this.cwd, timeoutMs }), paths);
  }

  #judged(result: RunResult, paths?: readonly string[]): RunResult {
    const { status, signal, stderr } = result;
    this.story.push(`${stderr}ends with ${signal ?? status}`);
    this.#wasKilled ||= signal === "SIGKILL";
    expect([0, 3, 4, 6, 7, 8, 9, "SIGINT", "SIGKILL"]).toContain(signal ?? status);
    expect(stderr).not.toMatch(
      /^ +at |\bWarning\b|\w+Error\b|\(node:|undefined|NaN|(?!\n)\p{Cc}/mu,
    );
    this.check(status === 0 ? (paths ?? [...this.files.keys()]) : []);
    return result;
  }

  /** Every name holds one whole file or nothing; `paths` are there. */
  check(paths: readonly string[] = []): void {
    const here = this.here();
    for (const [path, versions] of this.files) {
      const found = here[path];
      if (found === undefined) expect(paths, `${path} isn't there`).not.toContain(path);
      else if (!versions.includes(found))
        expect.unreachable(`${path} is wrong: ${describe(found, versions)}`);
    }
    expect(localTree(this.outside)).toEqual({ victim: "the victim's" });
    expect(this.others(here).filter((path) => !isTemporary(path))).toEqual([]);
  }

  /** Other runs remove files meanwhile. */
  here(): Record<string, string> {
    for (;;) {
      try {
        return localTree(this.cwd);
      } catch (error) {
        if (!String(error).includes("ENOENT")) throw error;
      }
    }
  }

  /** Answers a command so until the last run, before which faults end. */
  on(verb: string, action: Step): void {
    this.server.on(verb, (exchange) => (this.#isLast ? exchange.proceed() : action(exchange)));
  }

  /** A run without faults brings all files, and removes what others have left. */
  async checkLast(
    args: readonly string[],
    { paths, ...options }: StartOptions & { readonly paths?: readonly string[] } = {},
  ): Promise<void> {
    this.#isLast = true;
    const { status } = await this.run(args, paths, options);
    expect(status, "of the last run").toBe(0);
    this.checkNothingLeft();
  }

  checkNothingLeft(): void {
    const left = this.others().filter((path) => !this.#wasKilled || !isPrivate(path));
    expect(left, "left behind").toEqual([]);
  }

  /** The names that are no files of the server's, nor directories above one. */
  others(here = this.here()): string[] {
    const known = [...this.files.keys()];
    const isKnown = (path: string): boolean =>
      this.files.has(path) || (path.endsWith("/") && known.some((one) => one.startsWith(path)));
    return Object.keys(here).filter((path) => !isKnown(path));
  }
}

/** Notes the place of a storm, whose story is told when it goes wrong. */
export type Began = (place: Place) => Place;

/** A tree of small files, and some that are too large to wait in memory. */
export async function treePlace(random: Random, count: number): Promise<Place> {
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const length = index % 10 === 7 ? 100_000 : random.pick([0, 1, random.below(5000)]);
      const path = `t/${random.pick(["", "a/", "a/b/", "c/"])}f${index}`;
      return [path, generatedOctets(1 + (index % 5), 0, length)] as const;
    }),
  );
  const features = random.chance(0.5) ? ["UTF8", "SIZE", "MDTM", "REST STREAM"] : undefined;
  const server = await ScriptedServer.start({ files, ...(features && { features }) });
  return Place.make(server, files);
}

/** Names of the program's own; it has no others. */
function isTemporary(path: string): boolean {
  return isPrivate(path) || path.split("/").some((name) => /\.ftpull(\.json)?$/.test(name));
}

const isPrivate = (path: string): boolean => /(^|\/)\.ftpull-[0-9a-f]{16}$/.test(path);

function describe(found: string, versions: Versions): string {
  const alike = versions.map((version) => {
    let at = 0;
    while (at < found.length && version[at] === found[at]) at++;
    return `alike until ${at} of ${version.length}`;
  });
  return `${found.length} octets, ${alike.join(", or ")}`;
}

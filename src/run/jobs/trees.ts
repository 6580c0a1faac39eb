/** -r and patterns: URLs that stand for several documents. */
import { basename, relative, sep } from "node:path";
import type { Checksum } from "../../checksums/checksum.ts";
import type { QueuedJob } from "../../documents/job.ts";
import { TreeCounter } from "../../documents/tree/counter.ts";
import { Directory } from "../../documents/tree/directory.ts";
import { sameName } from "../../documents/tree/entry-jobs.ts";
import { hasTime, Selection } from "../../documents/tree/selection.ts";
import { Tree, type TreeSettings } from "../../documents/tree/tree.ts";
import { realPath } from "../../files/folder.ts";
import { localName } from "../../files/names.ts";
import { decoderFor } from "../../text/encoding.ts";
import { parseGlob } from "../../text/glob.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import { type Plan, planIn } from "../../url/plan.ts";
import { getsNumber, type JobSource } from "./job-source.ts";
import { checkNames, folderOf, treePath } from "./local-paths.ts";
import { mayBeUnchanged } from "./skips.ts";

/** Makes the jobs of trees, of which a run may have several. */
export class Trees {
  /** Whether a URL had a pattern. */
  hasPattern = false;
  readonly #source: JobSource;
  readonly #selection: Selection;
  /** The URL of each file, where trees could meet in one directory. */
  readonly #owners: Map<string, string> | undefined;
  /** The path of each directory, by where it leads: local links can make two of them one. */
  readonly #places = new Map<string, string>();

  constructor(source: JobSource) {
    const { urls, inputFiles } = source.settings;
    this.#source = source;
    this.#selection = new Selection(source.settings);
    this.#owners = urls.length > 1 || inputFiles.length > 0 ? new Map() : undefined;
  }

  /** The same job for what is below the directory that its URL may name. @throws FtpullError "file" */
  treeOf(job: QueuedJob): QueuedJob {
    const { settings } = this.#source;
    if (job.presumed.action !== "list") this.#claim(job.path, job.shownUrl);
    if (job.presumed.action === "retrieve") return job;
    const path = treePath(job.url, job.presumed, settings);
    return { ...job, branch: this.#top(asDirectory(job.url), path, settings.level || Infinity) };
  }

  /** A job for what matches a pattern in a directory. */
  matchesIn(job: QueuedJob, pattern: string): QueuedJob {
    const { settings } = this.#source;
    this.hasPattern = true;
    const path = folderOf(job.url, job.presumed.cwds, settings);
    const levels = settings.recursive ? settings.level || Infinity : 1;
    return { ...job, branch: this.#top(job.url, path, levels, pattern) };
  }

  #top(url: FtpUrl, path: string, levels: number, pattern?: string): Directory {
    const { settings } = this.#source;
    if (settings.outputDocument === undefined && !settings.spider) checkNames(path, settings);
    const tree = new Tree(this.#settingsFor(url, path, levels, pattern));
    const glob = pattern === undefined ? undefined : { text: pattern, ...parseGlob(pattern) };
    return new Directory(tree, { url, path, label: "", level: 1, isAlias: true, glob });
  }

  #settingsFor(url: FtpUrl, top: string, levels: number, pattern?: string): TreeSettings {
    const { settings, messages, report, inventory, expected } = this.#source;
    const { root, nullCwd, guessType, remoteEncoding, outputDocument, recursive } = settings;
    const decode = decoderFor(remoteEncoding);
    const hasOwnNames = outputDocument === undefined && !getsNumber(settings);
    return {
      levels,
      cutOffBy: recursive
        ? `-l ${levels} lists no deeper (-l 0 sets no limit)`
        : "only -r fetches directories",
      selection: this.#selection,
      top: settings.directoryPrefix,
      keepsTime: !settings.noMtime,
      count: new TreeCounter(`${formatFtpUrl(url)}${pattern ?? ""}`),
      inventory,
      choosesByTime: (settings.newerThan ?? settings.olderThan) !== undefined,
      hasTime: (modified) => hasTime(settings, modified),
      observer: messages,
      report,
      decode,
      mayBeUnchanged: (path, size) => mayBeUnchanged(path, size, settings),
      verifies: settings.checksums !== undefined,
      localName: (octets) => localName(octets, decode),
      planFor: (cwds, name, action) =>
        planIn(cwds, name, action, url.typecode, { root, nullCwd, guessType }),
      listed: () => {
        if (recursive && pattern === undefined && inventory === undefined) expected.hasTree();
      },
      jobFor: (entry, plan, path, branch) => ({
        url: entry,
        shownUrl: formatFtpUrl(entry),
        presumed: plan,
        plan,
        name: basename(path),
        path: outputDocument ?? path,
        file: hasOwnNames ? path : undefined,
        expected: this.#expectedOf(top, path, plan, entry),
        branch,
      }),
      hasOwnNames,
      ownerOf: (path, source) => this.#owners && this.#ownerOf(path, formatFtpUrl(source)),
      placeOf: (path) => this.#placeOf(path),
    };
  }

  /** In the whole of a tree, files are listed by their paths from its top. */
  #expectedOf(top: string, path: string, { action }: Plan, url: FtpUrl): readonly Checksum[] {
    const { expected, settings } = this.#source;
    if (action === "list" || !(settings.checksum || settings.checksums)) return [];
    const unsure = action === "retrieve-or-list" ? formatFtpUrl(url) : undefined;
    const isLimited = (settings.newerThan ?? settings.olderThan) !== undefined;
    const limited = isLimited ? formatFtpUrl(url) : undefined;
    if (!settings.recursive) return expected.of(basename(path), unsure ?? limited);
    const listed = relative(top, path).replaceAll(sep, "/");
    return expected.inTree(listed, unsure, limited);
  }

  #claim(path: string, source: string): void {
    const other = this.#ownerOf(path, source);
    if (other !== undefined) throw sameName(path, other);
  }

  #ownerOf(path: string, source: string): string | undefined {
    const owner = this.#owners?.get(path);
    if (owner === undefined) this.#owners?.set(path, source);
    return owner === source ? undefined : owner;
  }

  #placeOf(path: string): string | undefined {
    const target = realPath(path);
    const first = this.#places.get(target) ?? path;
    this.#places.set(target, first);
    return first === path ? undefined : first;
  }
}

/** The URL of the directory that a URL names, with a final slash. */
function asDirectory(url: FtpUrl): FtpUrl {
  if (url.segments.at(-1) === "") return url;
  const typecode = url.typecode === "D" ? undefined : url.typecode;
  return { ...url, segments: [...url.segments, ""], typecode };
}

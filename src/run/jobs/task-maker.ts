/** Makes the tasks of a run's documents: files, listings and, for -r and patterns, trees. */
import { posix } from "node:path";
import type { FileRules, Listable, Target } from "../../documents/file/download.ts";
import { FileTask } from "../../documents/file/file-task.ts";
import { type ListingOutput, ListingTask } from "../../documents/listing/listing-task.ts";
import { failed } from "../../documents/result.ts";
import { LookTask } from "../../documents/spider/look-task.ts";
import type { Document, Task } from "../../documents/task.ts";
import { DirectoryTask } from "../../documents/tree/directory-task.ts";
import { Directory, type TreeOptions } from "../../documents/tree/directory.ts";
import { LinkTask } from "../../documents/tree/link-task.ts";
import { FileSources } from "../../documents/tree/file-sources.ts";
import { GoneFiles } from "../../documents/tree/gone-files.ts";
import { type Below, type Links, Tree } from "../../documents/tree/tree.ts";
import { markOf } from "../../documents/tree/mirror-mark.ts";
import { TreeCount } from "../../documents/tree/tree-count.ts";
import { FtpullError, toFtpullError } from "../../errors.ts";
import { quoteForShell } from "../../text/escape.ts";
import type { Destination } from "../../files/destination.ts";
import { localName } from "../../files/names.ts";
import type { Settings } from "../../options/command-line.ts";
import { decoderFor } from "../../text/encoding.ts";
import { parseGlob } from "../../text/glob.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import { fileRules } from "./file-rules.ts";
import { sayListed } from "./listed-only.ts";
import { checkNames, filePath, nameOfOutput, topFolder } from "./local-paths.ts";
import { hasPattern } from "./requested.ts";

type ForTrees = Pick<TreeOptions, "selection" | "checksums" | "report" | "inventory" | "observer">;

interface SharedParts extends ForTrees {
  readonly settings: Settings;
  readonly shared: Destination | undefined;
  readonly listing: ListingOutput;
}

export class TaskMaker {
  readonly gone: GoneFiles[] = [];
  readonly cutOff = { directories: 0 };
  readonly #parts: SharedParts;
  readonly #rules: FileRules;
  readonly #sources = new FileSources();
  readonly #forTrees: Omit<TreeOptions, "pathname" | "mark">;
  readonly #hasOneUrl: boolean;

  constructor(parts: SharedParts) {
    const { settings, shared, selection } = parts;
    const { urls, inputFiles, remoteEncoding } = settings;
    this.#parts = parts;
    this.#rules = fileRules(settings, shared, selection, { isInTree: false });
    const rules = fileRules(settings, shared, selection, { isInTree: true });
    const decode = decoderFor(remoteEncoding);
    this.#forTrees = { ...parts, rules, sources: this.#sources, cutOff: this.cutOff, decode };
    this.#hasOneUrl = urls.length === 1 && inputFiles.length === 0;
    if (!this.#hasOneUrl) this.#sources.canMeet();
  }

  async *tasksFor(documents: AsyncIterable<Document>): AsyncGenerator<Task> {
    for await (const document of documents) {
      try {
        yield this.#taskFor(document);
      } catch (error) {
        await this.#parts.report(failed(document.shownUrl, toFtpullError(error)));
      }
    }
  }

  #taskFor(document: Document): Task {
    const { inventory, settings } = this.#parts;
    const { action } = document.plan;
    if (hasPattern(document)) return this.#top(document).task;
    if (settings.recursive && action !== "retrieve") return this.#tree(document);
    if (inventory !== undefined) return new LookTask(document, inventory);
    return action === "list" ? this.#listingTask(document) : this.#fileTask(document);
  }

  #listingTask(document: Document): ListingTask {
    const { settings, listing } = this.#parts;
    if (settings.json && settings.outputDocument === undefined) {
      const hint = "name a file for it with -O, or write --format json in place of --json";
      const words = "--json and a listing can't both be on standard output";
      throw new FtpullError("usage", words, { hint });
    }
    return new ListingTask(document, listing);
  }

  #fileTask(document: Document): FileTask {
    const { outputDocument, json, recursive, force } = this.#parts.settings;
    const target = this.#targetOf(document);
    const claim = (): (() => void) => this.#sources.claim(target.path, document.shownUrl);
    if (recursive) claim();
    // A file that this run has made from another URL would pass for this document, or for an earlier state of it.
    const hasOneSource = this.#rules.hasOwnNames && !recursive && !force;
    // A script that names a file, or knows its checksum, wants no listing (P8).
    const hasChecksum = target.verification.checksums.length > 0;
    const mayBeListed = outputDocument === undefined && !json && !hasChecksum;
    return new FileTask(document, target, this.#rules, {
      ...(mayBeListed && { directory: this.#listedInstead(document) }),
      ...(hasOneSource && { claim }),
      isInTree: false,
    });
  }

  #listedInstead(document: Document): Listable {
    const { listing, settings, observer } = this.#parts;
    const task = new ListingTask(document, listing);
    return {
      list: async (...request) => {
        const result = await task.list(...request);
        sayListed(document.shownUrl, settings, observer);
        return result;
      },
    };
  }

  #tree(document: Document): Task {
    const { inventory } = this.#parts;
    const top = this.#top(document);
    if (document.plan.action === "list") return top.task;
    if (inventory !== undefined) return new LookTask(document, inventory, top);
    const target = this.#targetOf(document);
    this.#sources.claim(target.path, document.shownUrl);
    return new LinkTask(document, target, this.#rules, top);
  }

  #top(document: Document): Below {
    const { plan, patterns = [], shownUrl } = document;
    const url = asDirectory(document.url);
    const { path, cutDirs, pathname } = this.#folder(document);
    const options = { ...this.#forTrees, pathname, mark: markOf(url, plan, this.#parts.settings) };
    const isWhole = patterns.length === 0;
    const count = isWhole ? new TreeCount(formatFtpUrl(url), path) : new TreeCount(shownUrl);
    const links = this.#links(isWhole && cutDirs < Infinity);
    const tree = new Tree(options, count, links, this.#goneFiles(path));
    const globs = patterns.map((text) => ({ text, ...parseGlob(text.replace(/\/$/, "")) }));
    const wanted = { isFile: true, isDirectory: true };
    const directory = new Directory({ url, path, cutDirs, wanted, patterns: globs }, options);
    return { tree, directory, task: new DirectoryTask(document, directory, tree) };
  }

  #folder(document: Document) {
    const { settings } = this.#parts;
    const folder = topFolder(document, settings);
    if (folder.cutDirs > 0) this.#sources.canMeet();
    checkNames(folder.path, settings);
    if (this.#hasOneUrl) this.#refuseIdle(folder.pathname);
    return folder;
  }

  #goneFiles(path: string): GoneFiles | undefined {
    if (!this.#parts.settings.delete) return undefined;
    const gone = new GoneFiles(path);
    this.gone.push(gone);
    return gone;
  }

  /** Refuses a path of -X that no directory of the tree has: all would be fetched. @throws FtpullError "usage" */
  #refuseIdle(pathname: string): void {
    const [path] = this.#parts.selection.idleExclusions(pathname);
    if (path === undefined) return;
    const meant = posix.join("/", pathname, path);
    const words = `-X "${path}" leaves nothing out: paths begin as in the URL: "${meant}"`;
    const name = quoteForShell(posix.basename(path));
    const directory = quoteForShell(`${posix.basename(path)}/`);
    const hint = `names anywhere in the tree: -R ${directory} for directories, -R ${name} for files`;
    throw new FtpullError("usage", words, { hint });
  }

  /** Links are kept only in a tree of the server's shape: in another one, local links would lead nowhere. */
  #links(hasShape: boolean): Links {
    const { recursive, links } = this.#parts.settings;
    return !recursive || (links === "keep" && !hasShape) ? "follow" : links;
  }

  #targetOf({ url, plan }: Document): Target {
    const { settings, checksums } = this.#parts;
    const path = filePath(url, plan, settings);
    checkNames(path, settings);
    const { name } = plan;
    const label = localName(name, this.#forTrees.decode);
    const savedAs = nameOfOutput(settings);
    const file = { name, path: posix.basename(name), label, savedAs };
    return { path, verification: checksums.atUrl(url, file) };
  }
}

function asDirectory(url: FtpUrl): FtpUrl {
  if (url.segments.at(-1) === "") return url;
  const typecode = url.typecode === "D" ? undefined : url.typecode;
  return { ...url, segments: [...url.segments, ""], typecode };
}

/** Makes the tasks of a run's documents: files, listings and, for -r and patterns, trees. */
import type { Download, FileRules } from "../../documents/file/download.ts";
import { FileTask } from "../../documents/file/file-task.ts";
import { type ListingOutput, listingTasks } from "../../documents/listing/listing-task.ts";
import { failed } from "../../documents/result.ts";
import { lookTask } from "../../documents/spider/look-task.ts";
import type { Document, Task } from "../../documents/task.ts";
import { DirectoryTask, listTask } from "../../documents/tree/directory-task.ts";
import { NameTask } from "../../documents/tree/name-task.ts";
import {
  asDirectory,
  Directory,
  type LinkRule,
  Tree,
  type TreeOptions,
} from "../../documents/tree/tree.ts";
import { TreeCount } from "../../documents/tree/tree-count.ts";
import { toFtpullError, usageError } from "../../errors.ts";
import type { Destination } from "../../files/destination.ts";
import { OwnFiles } from "../../files/own-files.ts";
import type { Settings } from "../../options/command-line.ts";
import { decoderFor } from "../../text/encoding.ts";
import { parseGlob } from "../../text/glob.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { fileRules } from "./file-rules.ts";
import { checkNames, filePath, topFolder } from "./local-paths.ts";
import { isTree, type Requested } from "./requested.ts";

type OfTree = "path" | "cutDirs" | "pathname" | "patterns" | "links" | "count";

type ForTrees = Pick<TreeOptions, "selection" | "verifiers" | "report" | "inventory" | "observer">;

interface SharedParts extends ForTrees {
  readonly settings: Settings;
  readonly shared: Destination | undefined;
  readonly listing: ListingOutput;
}

export class TaskMaker {
  readonly #parts: SharedParts;
  readonly #rules: FileRules;
  readonly #listing: ReturnType<typeof listingTasks>;
  readonly #own = new OwnFiles();
  readonly #forTrees: Omit<TreeOptions, OfTree>;

  constructor(parts: SharedParts) {
    this.#parts = parts;
    this.#listing = listingTasks(parts.listing);
    const withOwn = { ...parts, own: this.#own };
    this.#rules = fileRules(withOwn, false);
    const decode = decoderFor(parts.settings.remoteEncoding);
    this.#forTrees = { ...parts, rules: fileRules(withOwn, true), decode };
  }

  *tasksFor({ documents, extent }: Requested): Generator<Task> {
    if (extent === "several") this.#own.canMeet();
    const seen = new Set<string>();
    const { settings, shared } = this.#parts;
    const mayStay = shared === undefined && this.#rules.existing.stays !== "never";
    const fetchesOnce = mayStay && settings.jobs > 1 && !settings.spider;
    for (const document of documents) {
      const { shownUrl, plan } = document;
      const isPrinted = plan.action === "list" && !settings.recursive;
      // The file of a URL that stands twice may still arrive when the second one has its turn.
      if (seen.has(shownUrl)) continue;
      if (fetchesOnce && !isPrinted) seen.add(shownUrl);
      try {
        yield this.#taskFor(document);
      } catch (error) {
        void this.#parts.report(failed(shownUrl, toFtpullError(error)));
      }
    }
  }

  #taskFor(document: Document): Task {
    const { inventory, settings } = this.#parts;
    const isListing = document.plan.action === "list";
    if (isTree(document, settings)) return this.#tree(document, isListing);
    if (inventory !== undefined) return lookTask(document, inventory);
    return isListing ? this.#listingTask(document) : this.#fileTask(document);
  }

  #listingTask(document: Document): Task {
    const { settings } = this.#parts;
    if (settings.json && settings.outputDocument === undefined)
      throw usageError("--json can't share standard output with a listing: use --format json");
    return this.#listing(document);
  }

  #fileTask(document: Document): FileTask {
    const { settings } = this.#parts;
    return new FileTask({
      isInTree: false,
      mayGet: mayGet(document, settings),
      ...this.#targetOf(document),
      ...(!settings.wantsFile && { list: this.#listing(document).list }),
    });
  }

  #tree(document: Document, isListing: boolean): Task {
    const top = this.#top(document);
    if (isListing) return new DirectoryTask(top);
    return new NameTask(this.#targetOf(document), top, listTask);
  }

  #top(document: Document): Directory {
    const { patterns = [], shownUrl } = document;
    const { settings } = this.#parts;
    const folder = topFolder(document, settings);
    const { path, cutDirs } = folder;
    if (cutDirs > 0) this.#own.canMeet();
    checkNames(path, settings);
    const isWhole = patterns.length === 0;
    const count = isWhole
      ? new TreeCount(formatFtpUrl(asDirectory(document.url)), path)
      : new TreeCount(shownUrl);
    const links = this.#links(isWhole, cutDirs);
    const globs = patterns.map((text) => ({ text, ...parseGlob(text.replace(/\/$/, "")) }));
    const options = { ...this.#forTrees, ...folder, patterns: globs, links, count };
    return new Directory(new Tree(options), document);
  }

  /** Links are kept only in a tree of the server's shape: in another one, local links would lead nowhere. */
  #links(isWhole: boolean, cutDirs: number): LinkRule {
    const { recursive, links } = this.#parts.settings;
    if (!recursive || (links === "keep" && !isWhole)) return "follow";
    return links === "keep" && cutDirs > 0 ? "copy" : links;
  }

  #targetOf(document: Document): Omit<Download, "isInTree"> {
    const { url, plan } = document;
    const { settings, verifiers } = this.#parts;
    const byUrl = filePath(url, plan, settings);
    checkNames(byUrl, settings);
    const path = this.#rules.sharedPath ?? byUrl;
    return { document, path, rules: this.#rules, verifier: verifiers.atUrl(url, plan.name) };
  }
}

/** A proxy's GET has one file's bytes as they are: no offset, no facts before the data, no commands. */
function mayGet({ url, plan }: Document, settings: Settings): boolean {
  const { recursive, segments, site, timestamping, verify } = settings;
  const isAsItIs = plan.conversion === "none" && segments === 1 && site.length === 0;
  const comparesFacts = timestamping || settings.continue || recursive || verify;
  return url.scheme === "ftp" && isAsItIs && !comparesFacts;
}

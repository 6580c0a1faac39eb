/** A document in one file: until it is whole, in a folder beside its name (part-folder.ts), or in memory. */
import type { Destination, PartialDocument, Replaceable, Version } from "../destination.ts";
import { NameTaken } from "../claims.ts";
import { noBeginning } from "../file-error.ts";
import { endOfStored, type Gap, missingBehind } from "../gaps.ts";
import { followLinks } from "../links.ts";
import { existingFile, found, readRange, readTail } from "../regular-file.ts";
import { hasPartFolder, type PartFolder } from "./part-folder.ts";
import { type Collision, collisions, isBeginning, setTime, versionAt } from "./publish.ts";
import { inMemory, type SmallDocument } from "./small-document.ts";
import { publishReserved, reserveName } from "./reserve-name.ts";
import { removeLeftovers } from "./temporary.ts";

export class NamedFile implements Destination {
  readonly rewindable = true;
  label: string;
  isFree = false;
  replaces: Replaceable = "any";
  readonly #path: string;
  readonly #collision: (typeof collisions)[Collision];
  #version: Version | undefined;
  /** A document is in memory or in its folder; or in place, where another program wrote it, until the folder has a copy. */
  #small: SmallDocument | undefined;
  #folder: PartFolder | undefined;
  #inPlace: string | undefined;
  #earlier: PartialDocument | undefined;
  /** Version of the file with the final name that the document is compared with: by the caller of `partial`, or by `publish`. */
  #compared: string | undefined;
  /** The same of the file that an earlier run of the URL was allowed to replace. */
  #inherited: unknown;

  constructor(path: string, collision: Collision) {
    this.label = path;
    this.#path = path;
    this.#collision = collisions[collision];
  }

  get octets(): number {
    return this.#small?.octets.length ?? this.#folder?.end ?? 0;
  }

  get dropped(): number {
    return this.#folder?.dropped ?? 0;
  }

  partial(): PartialDocument | undefined {
    this.#moveToFolder();
    if (this.#folder?.isOpen) return this.#folder.read();
    return this.#collision.resumes === "nothing" ? undefined : this.#leftOver();
  }

  tail(offset: number, length: number): Buffer {
    return readTail(this.#dataPath(), offset, length);
  }

  stored(start: number, end: number): AsyncIterable<Buffer> {
    return readRange(this.#dataPath(), start, end - start, "refuse");
  }

  open(version: Version, missing: readonly Gap[], isInOrder = true): void {
    this.#releaseSmall();
    this.#version = version;
    const isSameUrl = this.#earlier?.document?.url === version.url;
    this.#inherited = isSameUrl ? this.#earlier?.replaceable : undefined;
    const isWholeInPlace = this.#inPlace !== undefined && missing.length === 0;
    if (isWholeInPlace) return;
    const { isFree } = this;
    this.isFree = false;
    const isBegun = this.#folder !== undefined || endOfStored(missing, version.size) > 0;
    if (isInOrder && !isBegun)
      this.#small = inMemory(this.#path, this.#collision.ifTaken, version.size, isFree);
    if (this.#small === undefined) this.#openFolder(version, missing, isInOrder);
    else this.label = this.#small.path;
  }

  /** Called after the octets are written: a state never claims more than is stored. */
  save(missing: readonly Gap[]): void {
    if (this.#version !== undefined) this.#folder?.write(this.#version, missing);
  }

  writeAt(position: number, chunk: Buffer): void | Promise<void> {
    if (this.#small !== undefined) this.#small.write(chunk);
    else this.#folder!.writeAt(position, chunk);
  }

  /** Publishes without fsync: a kill does no harm, and after a power failure the document comes again. */
  async publish(modified: Date | undefined): Promise<void> {
    if (this.#publishSmall(modified)) return this.#releaseSmall();
    this.#moveToFolder();
    if (this.#inPlace !== undefined && modified !== undefined) setTime(this.#inPlace, modified);
    this.label = this.#inPlace ?? (await this.#publishFolder(modified));
    await this.discard();
  }

  async keep(): Promise<number> {
    try {
      this.#moveToFolder();
      return (await this.#folder?.keep()) ?? 0;
    } finally {
      this.#release();
    }
  }

  async discard(): Promise<void> {
    this.#releaseSmall();
    this.#folder?.close();
    this.#folder?.remove();
    this.#release();
  }

  #leftOver(): PartialDocument | undefined {
    if (found(this.#path)?.isDirectory()) return undefined;
    const path = followLinks(this.#path);
    removeLeftovers(path);
    const left = hasPartFolder(path) ? this.#reserve().read() : undefined;
    this.#earlier = left ?? this.#earlier;
    if (left !== undefined || this.#collision.resumes === "folder") return left;
    return this.#partialInPlace(path);
  }

  #partialInPlace(path: string): PartialDocument | undefined {
    this.#compared = versionAt(path);
    const file = existingFile(path);
    if (file === undefined || file.size === 0) return undefined;
    this.#inPlace = path;
    const { size, mtime } = file;
    return { octets: size, document: undefined, inPlace: { path, size, mtime } };
  }

  #dataPath(): string {
    return this.#inPlace ?? this.#reserve().data;
  }

  #reserve(): PartFolder {
    this.#folder ??= reserveName(this.#path, this.#collision.ifTaken);
    this.label = this.#folder.path;
    return this.#folder;
  }

  #release(): void {
    this.#folder = undefined;
    this.#inPlace = undefined;
  }

  #moveToFolder(): void {
    const small = this.#small;
    this.#releaseSmall();
    if (small === undefined || this.#version === undefined) return;
    const isInOrder = true;
    this.#openFolder(this.#version, missingBehind(0), isInOrder);
    this.#folder?.writeAt(0, small.octets);
  }

  /** False if the file that has the name may be the user's own: `#publishFolder` compares it first. */
  #publishSmall(modified: Date | undefined): boolean {
    if (this.#small === undefined || !this.#mayReplace(this.#small.path)) return false;
    return this.#small.tryToPublish(modified);
  }

  #releaseSmall(): void {
    this.#small?.releaseName();
    this.#small = undefined;
  }

  #openFolder(version: Version, missing: readonly Gap[], isInOrder: boolean): void {
    const folder = this.#reserve();
    folder.replaceable = this.#replaceableLater(folder.path);
    folder.open(version, missing, isInOrder, this.#inPlace);
    this.#inPlace = undefined;
  }

  async #publishFolder(modified: Date | undefined): Promise<string> {
    const folder = this.#folder;
    if (!folder?.isOpen) throw new Error("a document was published before it was opened");
    const { data, path } = folder;
    const trouble = folder.close();
    if (trouble !== undefined) {
      await this.discard();
      throw trouble;
    }
    if (modified !== undefined) setTime(data, modified);
    await this.#checkReplaced(path, data);
    try {
      return publishReserved(data, { path, wanted: this.#path }, this.#collision.ifTaken);
    } catch (error) {
      if (error instanceof NameTaken) await this.discard();
      throw error;
    }
  }

  /** Compares a file that may be the user's own with the whole document. @throws FtpullError "integrity", "file" */
  async #checkReplaced(path: string, data: string): Promise<void> {
    while (!this.#mayReplace(path)) {
      this.#compared = versionAt(path); // Another program may change it during the comparison.
      if (await isBeginning(path, data)) continue;
      await this.discard();
      throw noBeginning();
    }
  }

  #mayReplace(path: string): boolean {
    if (this.#replaceable === "any") return true;
    return [undefined, this.#compared, this.#inherited].includes(versionAt(path));
  }

  /** Version of the file that a later run by -c may replace without comparing it. */
  #replaceableLater(path: string): unknown {
    if (this.#replaceable === "any") return versionAt(path);
    const compared = this.#replaceable === "found" ? this.#compared : undefined;
    return compared ?? this.#inherited;
  }

  /** Only -c can meet a file that may be the user's own; other options replace, or keep, any file. */
  get #replaceable(): Replaceable {
    return this.#collision.resumes === "folder or file" ? this.replaces : "any";
  }
}

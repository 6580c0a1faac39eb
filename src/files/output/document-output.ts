/** The destination of `-O`: devices and FIFOs are written directly, a file is put in place when all is whole. */
import { createWriteStream, fstatSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import type { Writable } from "node:stream";
import { isatty } from "node:tty";
import { FtpullError } from "../../errors.ts";
import type { Destination, Stored, Version } from "../destination.ts";
import type { Existing } from "../existing.ts";
import { cannotWrite, errorAbout, hasCode } from "../file-error.ts";
import { followLinks } from "../links.ts";
import { whyReserved } from "../names.ts";
import { NamedFile } from "../part/named-file.ts";
import { found, hasBytes, writeAll } from "../regular-file.ts";
import { DirectOutput, type Write } from "./direct-output.ts";

type OpenStandardOutput = () => Writable & { readonly fd?: number };

export function documentOutput(
  file: string,
  existing: Existing,
  openStdout: OpenStandardOutput,
  several = false,
): Destination {
  if (file === "-" || file === "/dev/stdout") return standardOutput(openStdout);
  const target = followLinks(file);
  const present = found(file);
  const takesBytes = present !== undefined && !present.isFile() && !present.isDirectory();
  if (takesBytes)
    return new DirectOutput(file, () => writeTo(createWriteStream(file), `"${file}"`));
  // As with wget and curl, a missing directory isn't made: the path may be misspelt.
  if (found(dirname(target)) === undefined) throw cannotWrite(file, "no such file or directory");
  const reserved = whyReserved(basename(target));
  if (reserved !== undefined) throw cannotWrite(file, reserved);
  if (several && existing.otherwise === "continue" && hasBytes(present))
    throw new FtpullError("integrity", `"${file}" can't be continued: several files go into it`);
  return several ? new SharedFile(file, existing) : new NamedFile(file, existing);
}

export function standardOutput(openStdout: OpenStandardOutput): Destination {
  return new DirectOutput(stdoutLabel, () => openStandardOutput(openStdout));
}

export const stdoutLabel = "standard output";

export function openStandardOutput(openStdout: OpenStandardOutput): Write {
  const stream = openStdout();
  const { fd } = stream;
  if (fd === undefined || canKeepWaiting(fd)) return writeTo(stream, stdoutLabel);
  return (chunk) => writeAll(fd, stdoutLabel, chunk); // Node's stream loses bytes when a disk is full.
}

function canKeepWaiting(fd: number): boolean {
  const opened = fstatSync(fd);
  return opened.isFIFO() || opened.isSocket() || isatty(fd);
}

const closedCodes = ["EPIPE", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"];

/** Writes to a stream, and waits until it has taken the bytes; a FIFO waits for its reader first. */
function writeTo(stream: Writable, what: string): Write {
  stream.on("error", () => undefined); // Each write reports its own error.
  const errorFor = (cause: Error): FtpullError => {
    if (!hasCode(cause, ...closedCodes)) return errorAbout("write", what, cause);
    const words = `cannot write ${what}: it was closed by its reader`;
    return new FtpullError("file", words, { reason: "output closed", cause });
  };
  return (chunk) =>
    new Promise((resolve, reject) => {
      stream.write(chunk, (error) => (error ? reject(errorFor(error)) : resolve()));
    });
}

/** Several documents in one file, in order. A document that doesn't become whole is taken back. */
class SharedFile implements Destination {
  readonly rewindable = true;
  readonly mustStay = false;
  readonly #file: NamedFile;
  /** Position in the file at which the document begins: the end of those that are whole. */
  #base = 0;
  #hasWhole = false;
  #version: Version = { url: "" };
  #modified: Date | undefined;

  constructor(path: string, existing: Existing) {
    this.#file = new NamedFile(path, existing);
  }

  get label(): string {
    return this.#file.label;
  }

  get octets(): number {
    return this.#file.octets - this.#base;
  }

  present(url: string): Stats | undefined {
    return this.#file.present(url);
  }

  choose(): Stored | undefined {
    const { octets } = this;
    return octets > 0 ? { octets, version: this.#version } : undefined;
  }

  tail(offset: number, length: number): Buffer {
    return this.#file.tail(this.#base + offset, Math.min(length, offset));
  }

  open(version: Version, offset: number): void {
    this.#version = version;
    const { url } = version; // Without a size, no later run can resume the file.
    this.#file.choose({ url });
    void this.#file.open({ url }, this.#base + offset);
  }

  writeAt(position: number, chunk: Buffer): void | Promise<void> {
    return this.#file.writeAt(this.#base + position, chunk);
  }

  publish(modified: Date | undefined): void {
    this.#base = this.#file.octets;
    this.#modified = this.#hasWhole ? undefined : modified;
    this.#hasWhole = true;
  }

  keep(): number {
    this.discard();
    return 0;
  }

  discard(): void {
    if (this.#hasWhole) this.open(this.#version, 0);
    else this.#file.discard();
  }

  conclude(): void {
    if (this.#hasWhole) this.#file.publish(this.#modified);
  }

  abandon(): void {
    this.#file.discard();
  }
}

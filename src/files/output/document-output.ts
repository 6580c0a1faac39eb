/** The destination of `-O`: devices and open descriptors are written directly, a file is put in place when all is whole. */
import { constants, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { basename, dirname } from "node:path";
import type { Writable } from "node:stream";
import { WriteStream, isatty } from "node:tty";
import { ClosedOutput, type FtpullError } from "../../errors.ts";
import type { Destination } from "../destination.ts";
import { cannotWrite, errorAbout, fileError, hasCode, withWriteErrors } from "../file-error.ts";
import { writeAll } from "../file-writer.ts";
import { descriptorOf, followLinks } from "../links.ts";
import { whyReserved } from "../names.ts";
import type { Collision } from "../part/local-name.ts";
import { NamedFile } from "../part/named-file.ts";
import { found } from "../regular-file.ts";
import { DirectOutput, type OpenOutput } from "./direct-output.ts";
import { SharedFile } from "./shared-file.ts";

type OpenStandardOutput = () => Writable & { readonly fd?: number };

export function documentOutput(
  file: string,
  collision: Collision,
  openStdout: OpenStandardOutput,
  several = false,
): Destination {
  if (file === "-") return standardOutput(openStdout);
  const target = followLinks(file);
  const fd = descriptorOf(target);
  if (fd === 1) return standardOutput(openStdout);
  if (fd !== undefined) return new DirectOutput(file, () => openDescriptor(fd, file));
  const present = found(target);
  const isFifo = present?.isFIFO() === true;
  if (isFifo || present?.isCharacterDevice() || present?.isBlockDevice())
    return new DirectOutput(file, () => openPath(target, isFifo));
  checkName(file, target);
  return several ? new SharedFile(file, collision) : new NamedFile(file, { collision });
}

/** Refuses a reserved name, and a missing directory, as wget and curl do: the path may be misspelt. */
function checkName(file: string, target: string): void {
  if (found(dirname(target)) === undefined) throw cannotWrite(file, "no such file or directory");
  const reserved = whyReserved(basename(target));
  if (reserved !== undefined) throw cannotWrite(file, reserved, "choose another name");
}

export function standardOutput(openStdout: OpenStandardOutput): Destination {
  return new DirectOutput(stdoutLabel, () => openStandardOutput(openStdout));
}

export const stdoutLabel = "standard output";

export function openStandardOutput(openStdout: OpenStandardOutput): OpenOutput {
  const stream = openStdout();
  const { fd } = stream;
  if (fd === undefined || canKeepWaiting(fd)) return outputStream(stream, stdoutLabel);
  return fileOutput(fd, stdoutLabel); // Node's stream loses bytes when a disk is full.
}

/** Writes to an open descriptor: by its name, a file that the shell opened to append would be written from its beginning on. */
function openDescriptor(fd: number, path: string): OpenOutput {
  return withWriteErrors(path, () => {
    if (!canKeepWaiting(fd)) return fileOutput(fd, `"${path}"`);
    const stream = isatty(fd) ? new WriteStream(fd) : new Socket({ fd, readable: false });
    return outputStream(stream, `"${path}"`);
  });
}

/** Opens a FIFO without blocking, which would hold a thread, and the end of the process, until there is a reader. */
function openPath(path: string, isFifo: boolean): OpenOutput {
  try {
    const fd = openSync(path, constants.O_WRONLY | (isFifo ? constants.O_NONBLOCK : 0));
    return openDescriptor(fd, path);
  } catch (error) {
    if (!hasCode(error, "ENXIO")) throw fileError("write", path, error);
    throw cannotWrite(path, "nothing reads this FIFO", "start its reader first");
  }
}

function fileOutput(fd: number, what: string): OpenOutput {
  return { write: (chunk) => writeAll(fd, what, chunk) };
}

function canKeepWaiting(fd: number): boolean {
  const opened = fstatSync(fd);
  return opened.isFIFO() || opened.isSocket() || isatty(fd);
}

const closedCodes = ["EPIPE", "ERR_STREAM_DESTROYED", "ERR_STREAM_WRITE_AFTER_END"];

/** Writes to a pipe, terminal or socket, where fs.write would block a thread, and the end of the process. */
function outputStream(stream: Writable, what: string): OpenOutput {
  stream.on("error", () => undefined); // Each write reports its own error.
  const wordsFor = (error: Error): FtpullError =>
    hasCode(error, ...closedCodes)
      ? new ClosedOutput(what, error)
      : errorAbout("write", what, error);
  return {
    write: (chunk: Buffer): Promise<void> =>
      new Promise((resolve, reject) => {
        stream.write(chunk, (error) => (error ? reject(wordsFor(error)) : resolve()));
      }),
  };
}

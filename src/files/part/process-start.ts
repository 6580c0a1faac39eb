/** Whether a process number still belongs to the process that wrote it down. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { shortageOfFiles } from "../../errors.ts";
import { errorCode, fileError } from "../file-error.ts";

/** A process's start, for comparison; undefined if none runs, "unknown" without /proc. */
export function processStart(pid: number): string | undefined {
  if (!exists(pid)) return undefined;
  const file = `/proc/${pid}/stat`;
  const stat = readText(file);
  // Without a free descriptor, a running process would look like another one.
  const shortage = stat === undefined ? shortageOfFiles() : undefined;
  if (shortage !== undefined) throw fileError("read", file, shortage);
  if (stat === undefined) return "unknown";
  const fields = stat.replace(/^.*\) /s, "").split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined; // dead, and not yet waited for
  return `${readText("/proc/sys/kernel/random/boot_id")?.trim()} ${fields[19]}`;
}

/** The host, and in a container the PID namespace, where process numbers hold. */
export function thisMachine(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM"; // another user's
  }
}

/** Reads a file as Latin-1; undefined where it can't be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

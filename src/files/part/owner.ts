/**
 * The process that writes a document, as the name of an empty file in the document's folder: such a
 * file never exists without its text, and one rename gives it to another process.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode, ifPossible } from "../file-error.ts";

export interface Owner {
  /** Name of the file. */
  readonly name: string;
  readonly pid: number;
  /** Process numbers are used again, and with the start they aren't; "" where it isn't known. */
  readonly start: string;
  /** The start of the machine, in hexadecimal digits; "" where it isn't known. */
  readonly boot: string;
  /** Where the process number holds: host and, in containers, the PID namespace. */
  readonly machine: string;
}

const pattern = /^owner-(\d+)-(\d*)-([0-9a-f]*)-(.*)$/;

/** After this silence, an owner on another machine or in another container counts as gone. */
const silenceMs = 10 * 60_000;

export function ownerName({ pid, start, boot, machine }: Omit<Owner, "name">): string {
  return `owner-${pid}-${start}-${boot}-${machine}`;
}

/** Name in place of an owner, where a run has ended in order: the octets are on the disk. */
export const noOwner = ownerName({ pid: 0, start: "", boot: "", machine: "" });

let own: Owner | undefined;

export function thisProcess(): Owner {
  if (own !== undefined) return own;
  const boot = readText("/proc/sys/kernel/random/boot_id") ?? "";
  const namespace = ifPossible(() => readlinkSync("/proc/self/ns/pid")) ?? "";
  const parts = {
    pid: process.pid,
    start: startOf(process.pid) ?? "",
    boot: boot.replace(/\W/g, "").slice(0, 12),
    machine: `${encodeURIComponent(hostname()).slice(0, 100)}-${namespace.replace(/\D/g, "")}`,
  };
  return (own = { ...parts, name: ownerName(parts) });
}

export function parseOwner(name: string): Owner | undefined {
  const [, pid, start = "", boot = "", machine = ""] = pattern.exec(name) ?? [];
  return pid === undefined ? undefined : { name, pid: Number(pid), start, boot, machine };
}

/** Whether the owner still runs; `silence` is the time in milliseconds since something was written. */
export function isRunning({ pid, start, boot, machine }: Owner, silence: () => number): boolean {
  if (pid === 0) return false;
  const here = thisProcess();
  if (machine !== here.machine) return !isSilent(silence());
  if (boot !== here.boot) return false;
  const present = startOf(pid);
  return present !== undefined && (present === start || present === "");
}

/** Whether a silence, in milliseconds, is so long that a process elsewhere counts as gone. */
export function isSilent(silence: number): boolean {
  return silence >= silenceMs;
}

/** Whether a process has this number here. */
export function isAlive(pid: number): boolean {
  return startOf(pid) !== undefined;
}

/** Whether an owner may be asleep, not gone: processes of other machines and containers can't be looked up. */
export function mayWake({ pid, machine }: Owner): boolean {
  return pid !== 0 && machine !== thisProcess().machine;
}

/** Name of the owner while this process copies the octets: if it is killed then, the next one copies them. */
export function wakingName(): string {
  const { machine, ...here } = thisProcess();
  return ownerName({ ...here, machine: `${machine}-copies` });
}

/** Whether the owner's octets are on the disk: not for certain if the machine may have lost its power since. */
export function isSafe({ name, boot }: Owner): boolean {
  return name === noOwner || (boot !== "" && boot === thisProcess().boot);
}

/** Start of a process in clock ticks; undefined if no such process runs, "" where /proc doesn't tell. */
function startOf(pid: number): string | undefined {
  if (!exists(pid)) return undefined;
  const fields = readText(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ");
  const isDead = fields?.[0] === "Z" || fields?.[0] === "X"; // and not yet waited for
  return isDead ? undefined : (fields?.[19] ?? "");
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
  return ifPossible(() => readFileSync(path, "latin1"));
}

/**
 * The process that writes a document, as the name of a file in its folder: a name is never half written,
 * and one rename gives the folder to another process.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasCode, ifPossible } from "../file-error.ts";

/**
 * A process, as the parts of a file name; unknown ones are "". `start`, in clock ticks, tells the process from
 * a later one with the same number; `boot` identifies the machine's last start; `machine` is the host and, in
 * containers, the PID namespace in which the number is valid.
 */
export interface Owner {
  readonly name: string;
  readonly pid: number;
  readonly start: string;
  readonly boot: string;
  readonly machine: string;
}

const pattern = /^owner-(\d+)-(\d*)-([0-9a-f]*)-(.*)$/;

/** Silence after which an owner on another machine or in another container counts as gone. */
const longestSilenceMs = 10 * 60_000;

export function ownerName({ pid, start, boot, machine }: Omit<Owner, "name">): string {
  return `owner-${pid}-${start}-${boot}-${machine}`;
}

const noPid = 0;

/** Name after a run that ended in order: the octets are on the disk. */
export const noOwner = ownerName({ pid: noPid, start: "", boot: "", machine: "" });

let own: Owner | undefined;

export function thisProcess(): Owner {
  own ??= describeThisProcess();
  return own;
}

function describeThisProcess(): Owner {
  const boot = readText("/proc/sys/kernel/random/boot_id") ?? "";
  const namespace = ifPossible(() => readlinkSync("/proc/self/ns/pid")) ?? "";
  const parts = {
    pid: process.pid,
    start: startOf(process.pid),
    boot: boot.replace(/\W/g, "").slice(0, 12),
    machine: `${encodeURIComponent(hostname()).slice(0, 100)}-${namespace.replace(/\D/g, "")}`,
  };
  return { ...parts, name: ownerName(parts) };
}

export function parseOwner(name: string): Owner | undefined {
  const [, pid, start = "", boot = "", machine = ""] = pattern.exec(name) ?? [];
  return pid === undefined ? undefined : { name, pid: Number(pid), start, boot, machine };
}

export function isRunning({ pid, start, boot, machine }: Owner, silenceMs: () => number): boolean {
  if (pid === noPid) return false;
  const here = thisProcess();
  if (machine !== here.machine) return !isSilent(silenceMs());
  if (boot !== here.boot || !isAlive(pid)) return false;
  const presentStart = startOf(pid);
  return presentStart === start || presentStart === "";
}

export function isSilent(silenceMs: number): boolean {
  return silenceMs >= longestSilenceMs;
}

export function isAlive(pid: number): boolean {
  if (!exists(pid)) return false;
  const [status = ""] = statOf(pid);
  return status !== "Z" && status !== "X"; // The parent of a dead process has yet to wait for the end.
}

/**
 * Name under which this process takes a folder over. An owner elsewhere may be asleep, and its octets have to be
 * copied: the name tells so, and if this process is killed, the next one copies them.
 */
export function takingName({ pid, machine }: Owner): string {
  const { name, ...here } = thisProcess();
  if (pid === noPid || machine === here.machine) return name;
  return ownerName({ ...here, machine: `${here.machine}-copies` });
}

/** True if the owner's octets are certainly on the disk: the machine hasn't been restarted since. */
export function isOnDisk({ name, boot }: Owner): boolean {
  return name === noOwner || (boot !== "" && boot === thisProcess().boot);
}

function startOf(pid: number): string {
  return statOf(pid)[19] ?? "";
}

/** Fields of /proc/PID/stat behind the process name, of which the first is the status; none without /proc. */
function statOf(pid: number): readonly string[] {
  const stat = readText(`/proc/${pid}/stat`) ?? "";
  return stat.replace(/^.*\) /s, "").split(" ");
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM"); // The process is another user's.
  }
}

export function readText(path: string): string | undefined {
  return ifPossible(() => readFileSync(path, "latin1"));
}

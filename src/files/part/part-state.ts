/**
 * The state of a partial file, `NAME.ftpull.json`: of which file it is, and which process writes it. It is also the
 * lock: a run makes it exclusively, or takes it over from an ended one by renaming its own over it. Two that take over
 * at once write the same bytes to one file, and the first one finds the other's `run` here before it does more.
 */
import { renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { FtpullError } from "../../errors.ts";
import type { Version } from "../destination.ts";
import { errorCode, fileError, hasCode, ifPossible } from "../file-error.ts";
import { partSuffix, stateSuffix } from "../names.ts";
import { makePrivateFile, moveIfFree, privatePath, randomDigits } from "../private-file.ts";
import { foundItself, noLinks, readRegular } from "../regular-file.ts";

/** Size and time are undefined while the file isn't sure to have the first bytes of one version. */
export interface State extends Version {
  readonly host: unknown;
  /** Undefined if the run has ended its work in order. */
  readonly pid: number | undefined;
  readonly run: string | undefined;
  readonly isOwn: boolean;
}

/** Of this process: another one with its number, after a restart of a container, has another `run`. */
const run = randomDigits();

const longestState = 64 * 1024;

/** A process of another host that has written nothing for so long counts as ended. */
const longestSilenceMs = 10 * 60_000;

/** Takes a name for this run. @throws "name taken"; the system's error */
export function takeState(name: string, version: Version): void {
  const path = name + stateSuffix;
  // An empty state, between its creation and the first write, would pass for a damaged one.
  makePrivateFile(path, textOf(version), (own) => {
    if (moveIfFree(own, path)) return;
    const { isOwn, run: digits, pid } = endedState(name) ?? {};
    // A run that was killed while it published has left the file under its private name.
    if (isOwn && digits && pid !== undefined)
      ifPossible(() => rmSync(privatePath(name, digits), { force: true }));
    renameSync(own, path);
  });
  if (isHeld(name)) return;
  endedState(name); // A process that still runs is named.
  throw nameTaken(name, "another run");
}

/** The path that a partial file of this run has while it is published. */
export function publishedPath(name: string): string {
  return privatePath(name, run);
}

/**
 * Notes what the file has: without size or time, no later run resumes it. With the `pid` null this run has ended its
 * work, and others may go on at once.
 */
export function noteState(name: string, version: Version, pid: number | null = process.pid): void {
  const path = name + stateSuffix;
  makePrivateFile(path, textOf(version, pid), (own) => renameSync(own, path));
}

export function removeState(name: string): void {
  rmSync(name + stateSuffix, { force: true });
}

function textOf({ url, size, modified }: Version, pid: number | null = process.pid): string {
  return `${JSON.stringify({ url, size, modified, host: hostname(), pid, run })}\n`;
}

/** True while no other run has taken the name over. */
export function isHeld(name: string): boolean {
  return readState(name)?.run === run;
}

/** The state, if there is one. @throws "name taken" if its process still runs */
export function endedState(name: string): State | undefined {
  const state = readState(name);
  const pid = writerOf(name, state);
  if (pid === undefined) return state;
  throw nameTaken(name, pid === process.pid ? "this run" : `process ${pid}`);
}

function nameTaken(name: string, writer: string): FtpullError {
  const words = `cannot write "${name}": ${writer} is writing it`;
  return new FtpullError("file", words, { reason: "name taken" });
}

/** The process that writes the partial file, if it still runs. */
export function writerOf(name: string, state: State | undefined): number | undefined {
  if (state?.pid === undefined) return undefined;
  const isHere = state.host === hostname();
  return (isHere ? isAlive(state, state.pid) : isRecent(name)) ? state.pid : undefined;
}

function isAlive({ run: its, isOwn }: State, pid: number): boolean {
  if (pid === process.pid) return its === run;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM") && !isOwn; // Another user's process has got the number.
  }
}

function isRecent(name: string): boolean {
  const { mtimeMs } = foundItself(name + partSuffix) ?? foundItself(name + stateSuffix) ?? {};
  return mtimeMs !== undefined && Date.now() - mtimeMs < longestSilenceMs;
}

/** Undefined for a state that is missing, cut or edited. @throws FtpullError "file" for one that can't be read now */
export function readState(name: string): State | undefined {
  const path = name + stateSuffix;
  try {
    const { octets, stats } = readRegular(path, longestState, noLinks);
    return parseState(octets.toString(), isOwnUsers(stats.uid));
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || unusable.includes(code)) return undefined;
    throw fileError("read", path, error);
  }
}

const unusable = ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR"];

function parseState(text: string, isOwn: boolean): State | undefined {
  const parsed = JSON.parse(text) as Record<string, unknown>;
  const { url, modified, host, run } = parsed;
  if (typeof url !== "string") return undefined;
  const [size, pid] = [parsed.size, parsed.pid].map((number) =>
    Number.isSafeInteger(number) && (number as number) > 0 ? (number as number) : undefined,
  );
  const digits = typeof run === "string" && /^[0-9a-f]{16}$/.test(run) ? run : undefined;
  const time = typeof modified === "string" ? new Date(modified) : undefined;
  return { url, size, modified: time, host, pid, run: digits, isOwn };
}

export function isOwnUsers(uid: number): boolean {
  return uid === (process.geteuid?.() ?? uid);
}

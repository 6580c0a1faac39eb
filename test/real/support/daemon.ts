/**
 * One server process and its children: started, waited for until it greets, and ended by
 * the id of the process group that it was started in.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "./server.ts";

export interface Daemon {
  readonly pid: number;
  /** Ends the process and those that it started for its sessions. */
  stop(): Promise<void>;
}

/** Starts a server and resolves when it takes connections; what it prints goes to `log`. */
export async function startDaemon(command: Command, port: number, log: string): Promise<Daemon> {
  const child = spawnInGroup(command, log);
  const endAtExit = () => killGroup(child, "SIGKILL");
  process.once("exit", endAtExit);
  const stop = async () => {
    await stopGroup(child);
    process.removeListener("exit", endAtExit);
  };
  try {
    await untilListening(child, port);
  } catch (error) {
    await stop();
    throw new Error(`${command.file}: ${readFileSync(log, "utf8")}`, { cause: error });
  }
  return { pid: child.pid ?? 0, stop };
}

function spawnInGroup(command: Command, log: string): ChildProcess {
  const output = openSync(log, "a");
  const child = spawn(command.file, command.args, {
    cwd: "/",
    detached: true,
    env: {
      PATH: process.env["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin",
      LC_ALL: "C.UTF-8",
      ...command.env,
    },
    stdio: ["ignore", output, output],
    ...(command.uid === undefined ? {} : { uid: command.uid, gid: command.uid }),
  });
  closeSync(output);
  child.once("error", () => {}); // Without it a missing program would end the test run.
  return child;
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 2400; tries++) {
    if (hasEnded(child)) throw new Error("the server ended at its start");
    if (isListening(child.pid ?? 0, port)) return;
    await delay(25);
  }
  throw new Error("the server doesn't listen");
}

function isListening(pid: number, port: number): boolean {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const listening = new RegExp(`^ *\\d+: [0-9A-F]+${local} [0-9A-F]+:0000 0A `, "m");
  return ["tcp", "tcp6"].some((name) => {
    const path = `/proc/${pid}/net/${name}`;
    return existsSync(path) && listening.test(readFileSync(path, "latin1"));
  });
}

async function stopGroup(child: ChildProcess): Promise<void> {
  const ended = hasEnded(child) ? undefined : once(child, "exit");
  killGroup(child, "SIGTERM");
  await Promise.race([ended, delay(2000, undefined, { ref: false })]);
  killGroup(child, "SIGKILL");
  await ended;
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}

/**
 * A real terminal for a test: a command runs with a pseudoterminal of script(1) as its controlling terminal, and
 * a list of texts to wait for and to type.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/**
 * A step waits for the text `expect`, behind the text of the last step, sends `signal` to every process of the
 * terminal's foreground, types `send`, and takes the terminal away (`hangsUp`).
 */
export interface Step {
  readonly expect: string;
  readonly shown?: () => void;
  readonly send?: string;
  readonly signal?: "SIGTERM";
  readonly hangsUp?: true;
}

/** What the terminal showed, and the status of the command; one that a signal ended has 128 more than its number. */
export interface TerminalRun {
  readonly output: string;
  readonly status: number;
}

/** script(1) of util-linux is on every Linux; that of other systems has other options. */
export function hasTerminals(): boolean {
  return spawnSync("script", ["--version"]).stdout?.includes("util-linux") ?? false;
}

/** Runs a shell command on a terminal of 24 lines; fails if it seems to hang, with its output. */
export async function withTerminal(
  command: string,
  steps: readonly Step[],
  columns = 80,
): Promise<TerminalRun> {
  const sized = `stty rows 24 cols ${columns}; ${command}`;
  const child = spawn("script", ["-qfec", sized, "/dev/null"], {
    env: { ...process.env, SHELL: "/bin/sh" },
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  const overdue = setTimeout(() => child.kill("SIGKILL"), 200_000);
  let output = Buffer.alloc(0);
  let seen = 0;
  let isAway = false;
  const left = [...steps];
  child.stdout.on("data", (chunk: Buffer) => {
    output = Buffer.concat([output, chunk]);
    while (left[0] !== undefined) {
      const { expect, shown, signal, send, hangsUp } = left[0];
      const found = output.indexOf(expect, seen);
      if (found < 0) return;
      seen = found + Buffer.byteLength(expect);
      left.shift();
      shown?.();
      if (signal !== undefined) process.kill(-foregroundOf(child.pid!), signal);
      if (send !== undefined) child.stdin.write(send);
      if (hangsUp) isAway = child.kill("SIGKILL");
    }
  });
  const [status] = await ended;
  clearTimeout(overdue);
  const said = JSON.stringify(output.toString());
  if (status === null && !isAway)
    throw new Error(`hangs before ${JSON.stringify(left[0])}: ${said}`);
  if (left[0] !== undefined) throw new Error(`ended without ${left[0].expect}: ${said}`);
  return { output: output.toString(), status: status ?? 128 + 1 };
}

/** The foreground process group of the terminal that `script` gave to its child: proc(5), tpgid. */
function foregroundOf(script: number): number {
  const [child] = readFileSync(`/proc/${script}/task/${script}/children`, "utf8").split(" ");
  const stat = readFileSync(`/proc/${child}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[6]);
}

/**
 * A real terminal for a test: a command runs with a pseudoterminal (Python's pty) as its controlling
 * terminal, and a script of texts to wait for and to type.
 */
import { execFile, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/**
 * A step waits for the text `expect`, behind the text of the last step, sends `signal` to every process of the
 * terminal's foreground, and types `send`.
 */
export interface Step {
  readonly expect: string;
  readonly shown?: () => void;
  readonly send?: string;
  readonly signal?: "SIGTERM";
}

export interface TerminalRun {
  readonly output: string;
  readonly status: number;
}

export function hasTerminals(): boolean {
  if (spawnSync("python3", ["-c", "import pty"]).status === 0) return true;
  if (process.env["CI"] === "true") throw new Error("python3 is needed to test on a terminal");
  console.warn("SKIPPED: tests on a real terminal, which need python3");
  return false;
}

/** Runs a shell command on a terminal; fails if it seems to hang, without output. */
export async function withTerminal(
  command: string,
  steps: readonly Step[],
  columns = 80,
): Promise<TerminalRun> {
  const argument = JSON.stringify({ command, steps, columns });
  const running = promisify(execFile)("python3", ["-ISc", driver, argument]);
  const lines = createInterface({ input: running.child.stdout! });
  const shownSteps = steps.values();
  lines.on("line", (line) => {
    if (line === "shown") shownSteps.next().value?.shown?.();
  });
  const { stdout } = await running;
  return JSON.parse(stdout.replaceAll("shown\n", "")) as TerminalRun;
}

const driver = `
import fcntl, json, os, pty, select, signal, struct, sys, termios, time
task = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    # The parent sets the size before the command may look at it.
    while struct.unpack("HHHH", fcntl.ioctl(0, termios.TIOCGWINSZ, bytes(8)))[1] == 0: time.sleep(0.01)
    os.execvp("sh", ["sh", "-c", task["command"]])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, task["columns"], 0, 0))
output = b""
deadline = time.monotonic() + 200
def read():
    global output
    if not select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0]:
        os.kill(pid, 9)
        sys.exit("no more output came; so far: " + repr(output))
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        chunk = b""
    output += chunk
    return chunk != b""
seen = 0
for step in task["steps"]:
    while (found := output.find(step["expect"].encode(), seen)) < 0:
        if not read(): sys.exit("ended without " + repr(step) + ": " + repr(output))
    seen = found + len(step["expect"].encode())
    print("shown", flush=True)
    if "signal" in step: os.killpg(os.tcgetpgrp(terminal), signal.Signals[step["signal"]])
    os.write(terminal, step.get("send", "").encode())
while read(): pass
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(json.dumps({"output": output.decode(errors="replace"), "status": status}))
`;

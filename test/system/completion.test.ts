/** --completion, in the shells themselves. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { completionScript } from "../../src/options/completion.ts";
import { run } from "../support/run-here.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { withTerminal } from "../support/terminal.ts";

type Shell = Parameters<typeof completionScript>[0];

/** A directory with the shell's script, and with something to complete. */
async function directoryFor(shell: Shell): Promise<string> {
  const directory = await temporaryDirectory();
  writeFileSync(join(directory, "script"), completionScript(shell));
  writeFileSync(join(directory, "my file"), "");
  return directory;
}

test("the program prints a script for three shells", async () => {
  for (const shell of ["bash", "zsh", "fish"] as const) {
    const stdout = completionScript(shell);
    expect(await run(["--completion", shell])).toMatchObject({ status: 0, stdout, stderr: "" });
  }
  expect(await run(["--completion", "tcsh"])).toMatchObject({ status: 2, stdout: "" });
});

test("fish proposes options, values and files", async () => {
  const cwd = await directoryFor("fish");
  const env = { PATH: process.env["PATH"], HOME: cwd };
  const asks = ["--form", "--format j", "-n", "-O my"].map(
    (line) => `complete -C 'ftpull ${line}'`,
  );
  const words = ["-N", "-c", ["source script", ...asks].join("\necho ---\n")];
  const found = execFileSync("fish", words, { cwd, env }).toString().replace(/\t.*/g, "");
  const [, ...proposals] = found.split("---\n").map((lines) => lines.split("\n").filter(Boolean));
  expect(proposals[0]).toEqual(["--format"]);
  expect(proposals[1]).toContain("json");
  expect(proposals[2]).toEqual(expect.arrayContaining(["-nc", "-nd", "-nH", "-nv"]));
  expect(proposals[3]).toEqual(expect.arrayContaining(["my file"]));
});

describe("on a terminal", () => {
  const setUp = "source ./script; ftpull() { printf '<%s>' \"$@\"; echo; }";
  const starts = {
    bash: "PS1='ready> ' exec bash --norc --noprofile -i",
    zsh: "PS1='ready> ' exec zsh -f -i",
  };

  async function typed(shell: "bash" | "zsh", keys: string): Promise<string | undefined> {
    const directory = await directoryFor(shell);
    const first = shell === "zsh" ? "autoload -U compinit; compinit -u -D; " : "";
    const { output } = await withTerminal(
      `cd '${directory}' && export HOME='${directory}' TERM=xterm && ${starts[shell]}`,
      [
        { expect: "ready> ", send: `${first}${setUp}; echo set" "up\r` },
        { expect: "set up\r\n", send: "" },
        { expect: "ready> ", send: `ftpull ${keys}\r` },
        { expect: ">\r\n", send: "exit\r" },
      ],
      200,
    );
    return /^(<.*>)\r$/m.exec(output)?.[1];
  }

  test("bash completes options and files", async () => {
    expect(await typed("bash", "--form\tj -O my\\ fi\t")).toBe("<--format><j><-O><my file>");
  });

  test.each([
    ["--no-clob\t", "<--no-clobber>"],
    ["-O my\\ fi\t", "<-O><my file>"],
  ])("zsh completes %j", async (keys, words) => {
    expect(await typed("zsh", keys)).toBe(words);
  });
});

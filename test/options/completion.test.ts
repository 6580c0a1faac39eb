/** --completion, in the shells themselves. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { completionScript, type Shell } from "../../src/options/completion.ts";
import { options } from "../../src/options/table.ts";
import { run } from "../support/run-here.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { hasTerminals, withTerminal } from "../support/terminal.ts";

const longs = Object.values(options).map(({ long }) => long);

function has(shell: Shell): boolean {
  return spawnSync(shell, ["--version"]).error === undefined || process.env["CI"] === "true";
}

/** A folder with the shell's script, and with something to complete. */
async function folderFor(shell: Shell): Promise<string> {
  const folder = await temporaryDirectory();
  writeFileSync(join(folder, "script"), completionScript(shell));
  writeFileSync(join(folder, "my file"), "");
  execFileSync("mkdir", [join(folder, "my folder")]);
  return folder;
}

const shells: readonly Shell[] = ["bash", "zsh", "fish"];

describe.each(shells)("of %s", (shell) => {
  test("the program prints the script, with and without a URL", async () => {
    const stdout = completionScript(shell);
    for (const words of [
      ["--completion", shell],
      [`--completion=${shell}`, "ftp://h/x"],
    ])
      expect(await run(words)).toMatchObject({ status: 0, stdout, stderr: "" });
  });

  test.skipIf(!has(shell))("the shell finds no fault with it", async () => {
    const folder = await folderFor(shell);
    const { status, stderr } = spawnSync(shell, ["-n", join(folder, "script")]);
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
  });
});

test("another shell is an error", async () => {
  const stderr =
    'ftpull: --completion "tcsh": expected bash, zsh or fish\nhint: see ftpull --help\n';
  expect(await run(["--completion", "tcsh"])).toMatchObject({ status: 2, stdout: "", stderr });
});

const proposals: readonly (readonly [string, readonly string[]])[] = [
  ["--form", ["--format"]],
  ["--format ", ["names", "table", "json", "urls", "raw"]],
  ["--format j", ["json"]],
  ["--format=t", ["table"]],
  ["--no-c", ["--no-clobber", "--no-check-certificate"]],
  ["-i a --input", ["--input-file"]],
  ["--timeout ", []],
  ["--", longs],
];

describe("bash proposes", () => {
  const ask = `
source ./script
COMP_WORDS=(ftpull $1) COMP_CWORD=\${#COMP_WORDS[@]}
if [[ $1 == *" " ]]; then COMP_WORDS+=(""); else COMP_CWORD=$((COMP_CWORD-1)); fi
_ftpull
printf '%s\\n' "\${COMPREPLY[@]}"`;

  test.each(proposals)("after %s: %j", async (line, expected) => {
    const cwd = await folderFor("bash");
    // As bash divides the words of a line.
    const words = line.replace("=", " = ");
    const output = execFileSync("bash", ["-c", ask, "bash", words], { cwd }).toString();
    expect(output.split("\n").filter(Boolean)).toEqual(expected);
  });
});

describe.skipIf(!has("fish"))("fish proposes", () => {
  test("the same for each beginning", async () => {
    const cwd = await folderFor("fish");
    // One shell for all: its start takes longer than they do.
    const asks = proposals.map(([line]) => `complete -C 'ftpull ${line}'; echo ---`);
    const env = { PATH: process.env["PATH"], HOME: cwd };
    const words = ["-N", "-c", ["source script", ...asks].join("\n")];
    const output = execFileSync("fish", words, { cwd, env }).toString();
    const found = output.split("---\n").slice(0, -1);
    const choices = found.map((lines) => lines.replace(/\t.*/g, "").replace(/^--format=/gm, ""));
    expect(choices.map((lines) => lines.split("\n").filter(Boolean).toSorted())).toEqual(
      proposals.map(([, expected]) => expected.toSorted()),
    );
  });

  test("files and folders, and nothing for a URL", async () => {
    const cwd = await folderFor("fish");
    const env = { PATH: process.env["PATH"], HOME: cwd };
    const proposed = (line: string) =>
      execFileSync("fish", ["-N", "-c", `source script; complete -C '${line}'`], { cwd, env })
        .toString()
        .replace(/\t.*/g, "");
    expect(proposed("ftpull -O my")).toBe("my file\nmy folder/\n");
    expect(proposed("ftpull -P my")).toBe("my folder/\n");
    expect(proposed("ftpull my")).toBe("");
  });
});

describe.skipIf(!hasTerminals())("on a terminal", () => {
  const setUp = "source ./script; ftpull() { printf '<%s>' \"$@\"; echo; }";
  const starts = {
    bash: "PS1='ready> ' exec bash --norc --noprofile -i",
    zsh: "PS1='ready> ' exec zsh -f -i",
  };

  async function typed(shell: "bash" | "zsh", keys: string): Promise<string | undefined> {
    const folder = await folderFor(shell);
    const first = shell === "zsh" ? "autoload -U compinit; compinit -u -D; " : "";
    const { output } = await withTerminal(
      `cd '${folder}' && export HOME='${folder}' TERM=xterm && ${starts[shell]}`,
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

  test.each([
    ["--form\tj\t-O my\\ fi\t", "<--format><json><-O><my file>"],
    ["-P my\t", "<-P><my folder/>"],
    ["my\t", "<my>"],
  ])("bash completes %j", async (keys, words) => {
    expect(await typed("bash", keys)).toBe(words);
  });

  test.skipIf(!has("zsh")).each([
    ["--form\tj\t -O my\\ fi\t", "<--format=json><-O><my file>"],
    ["-P my\t", "<-P><my folder>"],
    ["--no-clob\t", "<--no-clobber>"],
    ["my\t", "<my>"],
  ])("zsh completes %j", async (keys, words) => {
    expect(await typed("zsh", keys)).toBe(words);
  });
});

/** What people's scripts have, word by word: the same files in the same places, or an error that says why. */
import { describe, expect, test } from "vitest";
import { loopbackCertificate } from "../support/certificates.ts";
import { wordsOf } from "../support/rows.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { account, archive, filledIn, links, named } from "./archive.ts";
import { commands, type HabitualCommand, type Outcome } from "./commands.ts";
import { filesIn, fill } from "./folder.ts";

interface Run {
  readonly outcome: Outcome;
  readonly stderr: string;
  /** The command in the error's hint. */
  readonly proposed: string | undefined;
  readonly sent: readonly string[];
}

describe("the same files in the same places, or a reason:", () => {
  const done = commands.filter(
    ({ refused, instead }) => refused === undefined && instead === undefined,
  );

  test.each(done)("$typed", async (command) => {
    expect((await runHere(command, command.typed)).outcome).toEqual(command.here);
  });
});

describe("an error that says why, before anything is sent:", () => {
  const refused = commands.filter((command) => command.refused !== undefined);

  test.each(refused)("$typed", async (command) => {
    const { outcome, stderr, proposed, sent } = await runHere(command, command.typed);
    const { before, status, refused: says = [] } = command;
    expect(outcome).toEqual({ status, stdout: "nothing", files: before });
    for (const words of says) expect(stderr).toContain(words);
    if (command.instead !== undefined && status === 2) expect(proposed).toBe(command.instead);
    if (status === 2) expect(sent).toEqual([]);
  });
});

describe("what to type here instead does the same:", () => {
  const replaced = commands.filter(({ instead }) => instead !== undefined);

  test.each(replaced)("$instead", async (command) => {
    expect((await runHere(command, command.instead ?? "")).outcome).toEqual(command.here);
  });
});

async function runHere(command: HabitualCommand, typed: string): Promise<Run> {
  const server = await serverFor(command);
  const { port } = server;
  const cwd = await temporaryDirectory();
  fill(cwd, command, port);
  const words = argumentsIn(typed).map((word) => filledIn(word, port));
  const result = await run(words, { cwd, env: { FTPULL_PASSWORD: account.password } });
  const proposed = /^hint: write: (.*)$/m.exec(result.stderr)?.[1];
  return {
    outcome: {
      status: result.status ?? 0,
      stdout: named(result.stdoutBytes.toString("latin1")),
      files: filesIn(cwd, command, port),
    },
    stderr: result.stderr,
    proposed: proposed
      ?.replaceAll(filledIn("HOST", port), "HOST")
      .replaceAll(filledIn("PIN", port), "PIN"),
    sent: server.commands,
  };
}

function argumentsIn(typed: string): string[] {
  const words = wordsOf(typed.replace(/ 2>>? \S+/, ""));
  return words.slice(Math.max(0, words.indexOf("ftpull")) + 1);
}

function serverFor({ tls }: HabitualCommand): Promise<ScriptedServer> {
  const users = { [account.user]: { password: account.password } };
  const options = { files: archive, links, users };
  if (tls === undefined) return startServer(options);
  return startServer({
    ...options,
    tls: { ...loopbackCertificate, implicit: tls === "implicit TLS" },
  });
}

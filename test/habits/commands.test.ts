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
  readonly sent: readonly string[];
}

describe("the same files in the same places:", () => {
  const done = commands.filter(({ refused }) => refused === undefined);

  test.each(done)("$typed", async (command) => {
    expect((await runHere(command)).outcome).toEqual(command.here);
  });
});

describe("an error that says why, before anything is sent:", () => {
  const refused = commands.filter((command) => command.refused !== undefined);

  test.each(refused)("$typed", async (command) => {
    const { outcome, stderr, sent } = await runHere(command);
    expect(outcome).toEqual({ status: 2, stdout: "nothing", files: command.before });
    expect(stderr).toContain(command.refused);
    expect(stderr).not.toContain(account.password);
    expect(sent).toEqual([]);
  });
});

async function runHere(command: HabitualCommand): Promise<Run> {
  const server = await serverFor(command);
  const { port } = server;
  const cwd = await temporaryDirectory();
  fill(cwd, command, port);
  const [, ...words] = wordsOf(command.typed).map((word) => filledIn(word, port));
  const result = await run(words, { cwd, env: { FTPULL_PASSWORD: account.password } });
  return {
    outcome: {
      status: result.status ?? 0,
      stdout: named(result.stdoutBytes.toString("latin1")),
      files: filesIn(cwd, command, port),
    },
    stderr: result.stderr,
    sent: server.commands,
  };
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

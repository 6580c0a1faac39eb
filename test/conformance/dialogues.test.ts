/** The dialogues that the documents print, replayed command by command. */
import { describe, expect, it } from "vitest";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { hasTerminals } from "../support/terminal.ts";
import {
  ftpull,
  ftpullOnTerminal,
  isPipelining,
  redirectedTo,
  type Outcome,
} from "./support/client.ts";
import { type Dialogue, dialogues } from "./support/printed-dialogues.ts";
import { readDialogue, scriptOf, without } from "./support/worked-dialogue.ts";

const allowedExtras: readonly (readonly [command: RegExp, purpose: string])[] = [
  [/^FEAT$/, "features are asked for after every login"],
  [/^OPTS UTF8 ON$/, "for servers that begin in another encoding"],
  [/^PWD$/, "the way back to the login directory"],
  [/^TYPE I$/, "a file without typecode is image"],
  [/^SIZE \S+$/, "whether all of it arrived"],
  [/^MDTM \S+$/, "the local file's date"],
  [/^EPSV$/, "tried before PASV"],
  [/^CWD seconddir$/, ";type=d: a directory is listed from inside, where it can be entered"],
  [/^QUIT$/, "the end of every control connection"],
];

const allowedAhead = isPipelining ? [/^PASS /, /^CWD /, /^TYPE /] : [];

const withAnswers = (name: string): boolean => dialogues[name]?.answers !== undefined;

/** A server that says what the dialogue's says; it has no features unless the dialogue shows them. */
function serverOf({ text }: Dialogue): Promise<ScriptedServer> {
  return startServer({
    features: [],
    on: { EPSV: "500 unknown", ...scriptOf(readDialogue(text), "data") },
  });
}

function replay({ url, answers }: Dialogue, server: ScriptedServer): Promise<Outcome> {
  const words = ["-O", "-", url];
  const env = redirectedTo(server.port);
  return answers === undefined ? ftpull(words, { env }) : ftpullOnTerminal(words, answers, { env });
}

function expectDialogue(server: ScriptedServer, { text, leftOut }: Dialogue): void {
  const commands = readDialogue(text).map(({ command }) => command);
  const wanted = commands.slice(1).filter((command) => command !== leftOut);
  const allowed = [...allowedExtras.map(([command]) => command), ...allowedAhead];
  const others = without(wanted, server.commands).filter(
    (command) => !allowed.some((pattern) => pattern.test(command)),
  );
  expect(others).toEqual([]);
}

describe("the worked examples of the 'ftp' URI scheme", () => {
  const names = Object.keys(dialogues);

  it.each(names.filter((name) => !withAnswers(name)))("%s", proves);

  it.skipIf(!hasTerminals()).each(names.filter(withAnswers))("%s", proves);

  async function proves(name: string): Promise<void> {
    const dialogue = dialogues[name]!;
    const server = await serverOf(dialogue);
    const { status, output } = await replay(dialogue, server);
    expectDialogue(server, dialogue);
    expect(output).toContain(dialogue.shows);
    expect(status).toBe(dialogue.status ?? 0);
  }
});

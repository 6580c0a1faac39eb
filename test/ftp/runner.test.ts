/** The runner against a connection without a network, whose replies come when a test says so. */
import { expect, test } from "vitest";
import { Interrupted, networkError } from "../../src/errors.ts";
import { misplaced } from "../../src/ftp/control/exchanges.ts";
import { parseReply, type Reply } from "../../src/ftp/control/reply.ts";
import { answerTo, login } from "../../src/ftp/dialogue.ts";
import { ServerCapabilities } from "../../src/ftp/capabilities.ts";
import { Runner, type Connection } from "../../src/ftp/runner.ts";
import { type Command, plainCommand, type State } from "../../src/ftp/state.ts";
import { file, jane, listing, ready, usual } from "./support/talk.ts";

/** A connection that answers at once, by verb or by line; an Error is the loss of the connection. */
class Paper implements Connection {
  readonly writes: string[][] = [];
  readonly #replies: Readonly<Record<string, string | Error>>;

  constructor(replies: Readonly<Record<string, string | Error>>) {
    this.#replies = replies;
  }

  send(commands: readonly Command[]): ReturnType<Connection["send"]> {
    this.writes.push(commands.map(({ line }) => line));
    return commands.map((command) => ({ command, finalReply: () => this.#reply(command.line) }));
  }

  #reply(line: string): Promise<Reply> {
    const [verb = ""] = line.split(" ");
    const reply = this.#replies[line] ?? this.#replies[verb] ?? usual[verb] ?? "200 okay";
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(parseReply(reply));
  }
}

function start(replies: Record<string, string | Error>, state: State, pipelining = true) {
  const connection = new Paper(replies);
  const asked: string[] = [];
  const credentials = {
    knownAccount: "known",
    password: () => Promise.resolve("typed"),
    retry: async (text: string) => {
      asked.push(`login: ${text}`);
      return { user: "joe", password: "new" };
    },
    account: async (text: string, refused: string | undefined) => {
      asked.push(`account: ${text}, ${refused}`);
      return refused === undefined ? "known" : "typed";
    },
  };
  return {
    asked,
    connection,
    runner: new Runner(state, connection, credentials, new ServerCapabilities(pipelining)),
  };
}

const features = ["FEAT", "OPTS UTF8 ON"];

const anonymous = jane({ user: "anonymous" });

test("a user's password follows the reply to USER, alone", async () => {
  const { connection, runner } = start({}, jane());
  await runner.reachAhead(login, file("x"));
  const document = ["TYPE I", "SIZE x", "MDTM x"];
  expect(connection.writes).toEqual([
    ["HOST h", "USER jane"],
    ["PASS secret"],
    [...features, ...document],
  ]);
});

test("a user's password isn't sent after a refusal of USER", async () => {
  const { connection, runner } = start({ USER: "530 must use encryption" }, jane());
  await expect(runner.reach(login)).rejects.toThrow("the server wants TLS");
  expect(connection.writes).toEqual([["HOST h", "USER jane"]]);
});

test("without it each command waits for the reply before", async () => {
  const { connection, runner } = start({}, ready, false);
  await runner.reach(file("a/x"));
  const lines = ["PWD", "CWD a", "TYPE I", "SIZE x", "MDTM x"];
  runner.sendAhead([file("y")]);
  expect(connection.writes).toEqual(lines.map((line) => [line]));
});

test("S7 and S8 what the server says goes with each question", async () => {
  const replies = {
    "PASS secret": "530 not you",
    "PASS new": "332 account",
    "ACCT known": "530 no",
  };
  const { asked, runner } = start(replies, jane());
  await runner.reach(login);
  expect(asked).toEqual([
    'login: server replied 530 "not you"',
    'account: server replied 332 "account", undefined',
    'account: server replied 530 "no", known',
  ]);
});

test("a goal is not reached while what is in flight can still move the session", async () => {
  const { connection, runner } = start({}, ready);
  runner.sendAhead([file("a/x")]);
  await runner.reach(file("y"));
  expect(connection.writes.slice(1)).toEqual([["CWD /home", "SIZE y", "MDTM y"]]);
});

test("what was sent early is not sent again, and what was sent for another document does no harm", async () => {
  const { connection, runner } = start({}, ready);
  runner.sendAhead([file("x")]);
  runner.beginDocument();
  await runner.reach(file("x"));
  await runner.reach(listing(""));
  expect(connection.writes.slice(1)).toEqual([["TYPE A"]]);
});

test("an answer that came early is the answer, once", async () => {
  const { connection, runner } = start({ EPSV: "229 (|||1|)" }, ready);
  const extendedPassive = plainCommand("EPSV", 229);
  await runner.reachAhead(file("x"), answerTo(extendedPassive));
  expect((await runner.ask(extendedPassive)).code).toBe(229);
  expect(connection.writes).toHaveLength(1);
  await runner.ask(extendedPassive);
  expect(connection.writes).toHaveLength(2);
});

test("a failure that is decided isn't hidden by how the connection ends", async () => {
  const lost = networkError("the server closed the control connection");
  const replies = { USER: "530 must use encryption", FEAT: lost };
  const { runner } = start(replies, anonymous);
  await expect(runner.reach(login)).rejects.toThrow("the server wants TLS");
});

test.each([new Interrupted("SIGINT"), misplaced("a reply that its command cannot have")])(
  "%s is thrown in its place",
  async (error) => {
    const { runner } = start({ USER: "530 must use encryption", FEAT: error }, anonymous);
    await expect(runner.reach(login)).rejects.toBe(error);
  },
);

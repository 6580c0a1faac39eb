/** S8: an account that is wanted for a transfer, after which the data connection is another one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import type { ServerOptions } from "../support/options.ts";
import type { Action, Step } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { fetchFrom, filesIn } from "./support/client.ts";
import { ahead, expectCommands, login, retrieval, type Script } from "./support/dialogue.ts";

const jane = { user: "jane", password: "secret" };
const withAccount = ["--account", "sales"];

const users = { jane: { password: "secret" } };

/** Fetches these files with an account that the user has given. */
function fetched(
  files: NonNullable<ServerOptions["files"]>,
  on: Record<string, Action>,
  words: readonly string[] = [],
  settings: { readonly cwd?: string } = {},
) {
  const paths = Object.keys(files).map((name) => `/${name}`);
  const all = { ...settings, login: jane };
  return fetchFrom({ files, users, on }, paths, [...withAccount, ...words], all);
}

function expectDialogue(server: ScriptedServer, ...script: Script): void {
  expectCommands(server, ...login("jane", "secret"), ...script, "QUIT");
}

const inAMoment: Step = () => delay(50);

/** Gives the data connection up, as servers do before they ask for an account. */
const demand = (code: 332 | 532): Action => [
  async ({ session }) => (await session.data.take())?.end(),
  inAMoment,
  `${code} account?`,
];

const late: Action = [inAMoment, "532 account?"];

describe("a transfer for which the server wants an account", () => {
  it.each<[claim: string, code: 332 | 532, text: string]>([
    ["332 to RETR", 332, "text"],
    ["532 to RETR of an empty file", 532, ""],
  ])("S8 %s: ACCT, another data connection, and RETR again", async (_claim, code, text) => {
    const { server, status, cwd } = await fetched({ x: text }, { "RETR#1": demand(code) });
    expectDialogue(server, ...retrieval("x"), "ACCT sales", "EPSV", "RETR x");
    expect([status, filesIn(cwd)]).toEqual([0, { x: text }]);
    expect(server.dataConnections).toBe(2);
  });

  it.each<[command: string, dialogue: Script]>([
    ["RETR#1", ["EPSV", "REST 3904", "RETR x", "ACCT sales", "EPSV", "REST 3904", "RETR x"]],
    ["REST#1", ["EPSV", "REST 3904", "ACCT sales", "EPSV", "REST 3904", "RETR x"]],
  ])("S8 %s goes on at the same octet, with REST again", async (command, dialogue) => {
    const size = 10_000;
    const cwd = await temporaryDirectory();
    writeFileSync(join(cwd, "x"), generatedOctets(1, 0, 8000));
    const [files, on] = [{ x: { size, seed: 1 } }, { [command]: demand(532) }];
    const { server, status } = await fetched(files, on, ["-c"], { cwd });
    expectDialogue(server, "TYPE I", "SIZE x", "MDTM x", ...dialogue, "SIZE x", "MDTM x");
    const whole = generatedOctets(1, 0, size).toString("latin1");
    expect([status, filesIn(cwd)]).toEqual([0, { x: whole }]);
  });

  it.each<[command: string, features: string[], dialogue: Script]>([
    ["MLSD", ["MLST"], ["EPSV", "MLSD", "ACCT sales", "EPSV", "MLSD"]],
    ["LIST", [], ["EPSV", "LIST", "ACCT sales", "EPSV", "LIST"]],
  ])("S8 %s, with another data connection", async (command, features, dialogue) => {
    const given = { files: { x: "" }, users, features, on: { [`${command}#1`]: demand(532) } };
    const { server, status, stdout } = await fetchFrom(given, "/", withAccount, { login: jane });
    const sent = ["FEAT", ...ahead("OPTS UTF8 ON")];
    expectCommands(server, ...login("jane", "secret").slice(0, 3), ...sent, ...dialogue, "QUIT");
    expect([status, stdout]).toEqual([0, "x\n"]);
  });

  it("S8 wanted again after ACCT went through ends with the server's words", async () => {
    const { server, status, stderr, cwd } = await fetched({ x: "text" }, { RETR: "532 account?" });
    expectDialogue(server, ...retrieval("x"), "ACCT sales", "EPSV", "RETR x");
    expect(stderr).toContain('cannot retrieve "x": server replied 532 "account?"');
    expect([status, filesIn(cwd)]).toEqual([8, {}]);
  });

  it.each([
    ["before it was asked for", transfer({ preliminary: [], completion: late })],
    ["and then it is asked for", transfer({ completion: late })],
  ])("S8 octets that came %s are not written twice", async (_claim, action) => {
    const { cwd } = await fetched({ x: "text" }, { "RETR#1": action, SIZE: "550 no" });
    const { x = "text" } = filesIn(cwd);
    expect(x).toBe("text");
  });
});

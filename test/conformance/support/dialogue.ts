/** The commands that a server must have received, written down once for both ways of sending. */
import { expect } from "vitest";
import type { ScriptedServer } from "../../support/scripted-server.ts";
import { isPipelining } from "./client.ts";

/** A command that goes out only where commands travel together. */
interface Special {
  readonly command: string;
}

export type Script = readonly (string | Special)[];

/** Commands that went out before a refusal was known; a client that goes step by step sends none. */
export function ahead(...commands: readonly string[]): Script {
  return commands.map((command) => ({ command }));
}

export const features: Script = ["FEAT", "OPTS UTF8 ON"];

export const featuresWithoutUtf8: Script = ["FEAT", ...ahead("OPTS UTF8 ON")];

export const anonymous: Script = credentials("anonymous", "ftpull@example.com");
export const anonymousLogin: Script = [...anonymous, ...features];

/** A login whose password is known. */
export function login(user: string, password: string): Script {
  return [...credentials(user, password), ...features];
}

export function credentials(user: string, password: string): Script {
  return ["HOST 127.0.0.1", `USER ${user}`, `PASS ${password}`];
}

/** A file in image type, in the directory reached. */
export function retrieval(name: string): Script {
  return ["TYPE I", `SIZE ${name}`, `MDTM ${name}`, "EPSV", `RETR ${name}`];
}

/** Command behind the first small file if another follows: it shows whether a server answers in order. */
export const order: Script = ahead("NOOP");

/** Asserts every command that `server` received, over all control connections, in order. */
export function expectCommands(server: ScriptedServer, ...script: Script): void {
  expect(server.commands).toEqual(commandsOf(script));
}

/** The commands of a script that are sent here, with or without pipelining. */
export function commandsOf(script: Script): string[] {
  return script.flatMap((step) => {
    if (typeof step === "string") return [step];
    return isPipelining ? [step.command] : [];
  });
}

/** The control connections on which something was asked; a firewall may have dropped others. */
export function visits(server: ScriptedServer): ScriptedServer["connections"] {
  return server.connections.filter(({ commands }) => commands.length > 0);
}

/** The commands that follow the login of anonymous and precede QUIT. */
export function expectAfterLogin(server: ScriptedServer, ...script: Script): void {
  expectCommands(server, ...anonymousLogin, ...script, "QUIT");
}

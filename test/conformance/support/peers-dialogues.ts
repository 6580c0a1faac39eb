/** Reads peers-dialogues.txt, which describes its own format: a dialogue a line. */
import { readFileSync } from "node:fs";
import { close, passive, reply227, stall, transfer } from "../../support/actions.ts";
import type { ServerOptions } from "../../support/options.ts";
import type { Action, Step } from "../../support/script.ts";
import { letIn } from "./agreeable-server.ts";

export interface PeerDialogue {
  readonly source: string;
  readonly claim: string;
  readonly server: ServerOptions;
  /** Files in the working directory before. */
  readonly here: Files;
  readonly netrc: string;
  readonly words: readonly string[];
  readonly status: number;
  /** The files there afterwards. */
  readonly files: Files;
  readonly stdout: string;
  readonly says: string;
}

export type Files = Record<string, string | { content: string; modified: Date }>;

export const content = "some\ncontent\n";

/** Answers that are no text. */
const steps: Readonly<Record<string, Step>> = {
  close,
  stall,
  "logs in": letIn,
  "takes image type": ({ session }) => void (session.type = "I"),
  "enters /path": ({ session }) => void (session.workingDirectory = "/path"),
  "port of another host": passive((port) => reply227(port, "1.2.3.4")),
  "sends nothing": transfer({ content: "" }),
  "sends only some": transfer({ content: "some" }),
  "sends x without its size": transfer({ preliminary: "150 Here it comes" }),
  "sends x with 150 and 226 at once": transfer({
    preliminary: "150 Here it comes (13 bytes).\r\n226 File transfer complete",
    completion: [],
  }),
  "lists a file -a": transfer({
    content: "-rw-r--r--    1 ftp      ftp             7 Jan 01  2020 -a\r\n",
  }),
};

export const dialogues: readonly PeerDialogue[] = readFileSync(
  new URL("peers-dialogues.txt", import.meta.url),
  "utf8",
)
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => dialogueOf(unfolded(line).split(" | ")));

/** Writes `{3*text}` out. */
function unfolded(line: string): string {
  const written = line.replace(/\{(\d+)\*([^{}]*)\}/g, (_, count: string, text: string) =>
    text.repeat(Number(count)),
  );
  return written === line ? line : unfolded(written);
}

function dialogueOf([
  source = "",
  claim = "",
  given = "-",
  words = "-",
  outcome = "-",
]: string[]): PeerDialogue {
  const { server, here, netrc } = givenBy(given);
  const expected = new Map(statementsOf(outcome));
  const status = Number(expected.get("status") ?? 0);
  const left = expected.get("leaves");
  const usual: Files = status === 0 && !expected.has("prints") ? { x: content } : here;
  return {
    source,
    claim,
    server: { files: { x: content }, features: false as const, ...server },
    here,
    netrc,
    words: (words === "-" ? "ftp://HOST/x" : words).split(" "),
    status,
    files: left === undefined ? usual : filesOf(left.split(" ")),
    stdout: expected.get("prints") ?? "",
    says: expected.get("says") ?? "",
  };
}

/** The statements of a column: each a word, or a command with a colon, and the rest. */
function statementsOf(column: string): [string, string][] {
  const statements = column.split("; ").map((text) => /^([a-z1]+|.*?:)(?: (.*))?$/.exec(text));
  return statements.flatMap((found) => (found ? [[found[1]!, decoded(found[2] ?? "")]] : []));
}

/** Writes `\n` and `\u0001` as what they stand for. */
function decoded(text: string): string {
  return JSON.parse(`"${text.replaceAll('"', '\\"')}"`) as string;
}

function givenBy(column: string) {
  const on: Record<string, Action> = {};
  const server: ServerOptions = { on };
  let here: Files = {};
  let netrc = "";
  for (const [word, rest] of statementsOf(column)) {
    if (word.endsWith(":")) on[word.slice(0, -1)] = actionOf(rest);
    else if (word === "files") server.files = filesOf(rest.split(" "));
    else if (word === "directory") server.directories = [rest];
    else if (word === "home") server.loginDirectory = rest;
    else if (word === "hides") server.hidesDots = true;
    else if (word === "latin1") server.nameEncoding = "latin1";
    else if (word === "user") server.users = userOf(rest);
    else if (word === "here") here = filesOf([rest]);
    else if (word === "netrc") netrc = `${rest}\n`;
    else throw new Error(`"${word}" has no meaning`);
  }
  return { server, here, netrc };
}

function actionOf(text: string): Action {
  const parts = text.split(/ ?(<.*?>) ?/).filter((part) => part !== "");
  return parts.map((part) => steps[part.slice(1, -1)] ?? part);
}

function userOf(text: string): NonNullable<ServerOptions["users"]> {
  const [user = "", password = "", account] = text.split(":");
  return { [user]: account === undefined ? { password } : { password, account } };
}

function filesOf(texts: readonly string[]): Files {
  const named = texts.filter((text) => text !== "nothing");
  return Object.fromEntries(
    named.map((text) => {
      const [, name = "", date, written = content] =
        /^(.*?)(?:@(.*?))?(?:=(.*))?$/s.exec(text) ?? [];
      const file = date === undefined ? written : { content: written, modified: new Date(date) };
      return [name.replaceAll("%20", " "), file];
    }),
  );
}

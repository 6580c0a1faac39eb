/**
 * A dialogue as the documents print it, `S> ` and `C> ` line by line, made into a server that says
 * its part and into the commands that a client has to say.
 */
import { passive, reply227, transfer } from "../../support/actions.ts";
import type { Action } from "../../support/script.ts";
import { letIn } from "./agreeable-server.ts";

interface Exchange {
  readonly command: string;
  readonly replies: readonly string[];
}

/** Reads the lines; what stands in `<...>` is for people. */
export function readDialogue(text: string): Exchange[] {
  const exchanges: { command: string; replies: string[] }[] = [
    { command: "greeting", replies: [] },
  ];
  for (const line of text.split("\n").map((indented) => indented.trim())) {
    if (line.startsWith("C> ")) exchanges.push({ command: ours(line.slice(3)), replies: [] });
    if (line.startsWith("S> ")) exchanges.at(-1)?.replies.push(line.slice(3));
  }
  return exchanges;
}

function ours(command: string): string {
  const octets = command.replace(/\{([0-9a-f.]+)\}/, (_, hex: string) =>
    Buffer.from(hex.replaceAll(".", ""), "hex").toString("latin1"),
  );
  return octets
    .replace(/^PASS \S+@\S+$/, "PASS ftpull@example.com")
    .replace(/^TYPE (.)$/, (line) => line.toUpperCase())
    .replace(/^PORT .*$/, "PASV");
}

export function scriptOf(exchanges: readonly Exchange[], data: string): Record<string, Action> {
  return Object.fromEntries(
    exchanges.map(({ command, replies }) => [command, actionFor(command, replies, data)]),
  );
}

function actionFor(command: string, replies: readonly string[], data: string): Action {
  const reply = replies.join("\r\n");
  // The address that the document gives; its ports don't exist.
  if (command === "PASV") return passive((port) => reply227(port, "192.0.2.12"));
  if (reply.startsWith("150")) {
    const [preliminary = "", completion = ""] = replies;
    return transfer({ content: data, preliminary, completion });
  }
  return reply.startsWith("230") ? [letIn, reply] : reply;
}

/** The commands that are left when those of `dialogue` are taken out of `sent`, each in its turn. */
export function without(dialogue: readonly string[], sent: readonly string[]): string[] {
  const missing = [...dialogue];
  const extras = sent.filter((command) => {
    if (command !== missing[0]) return true;
    missing.shift();
    return false;
  });
  return [...missing.map((command) => `missing: ${command}`), ...extras];
}

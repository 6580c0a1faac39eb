/**
 * TCP cuts a stream where it likes. Each run of a whole session, with every kind of reply, has
 * its replies parted before other octets, and nothing may come of it.
 */
import { expect, it } from "vitest";
import { campaign } from "../support/campaign.ts";
import type { ServerOptions } from "../support/options.ts";
import type { Exchange } from "../support/script.ts";
import { ScriptedServer } from "../support/scripted-server.ts";
import { filesIn, ftpull } from "./support/client.ts";

/** Replies of every class and form: in several lines, with texts that look like codes, refusals. */
const server: ServerOptions = {
  files: { 'h"m/a/x': "ax", 'h"m/a/b/y': "aby", 'h"m/z': "z" },
  loginDirectory: '/h"m',
  users: { jane: { password: "secret", account: "sales" } },
  on: {
    greeting: [
      "120 in a moment",
      "220-welcome\r\n  220 not yet\r\n220-\r\n226 nor now\r\n220 ready",
    ],
    HOST: "504 unknown host",
    USER: [heedUser, "331-who is there?\r\n331 password"],
    "EPSV#2": "500-what?\r\n500 is that",
    "TYPE E": "504-not\r\n504 here",
    "RETR b": "550-no file,\r\n 551 but\r\n550 a directory",
  },
};

function heedUser({ argument, session }: Exchange): void {
  session.user = argument;
}

/** A file, a directory, one that pretends to be a file, a way that doesn't exist, a type that isn't known. */
const paths = ["/a/x", "/a/", "/a/b", "/none/y", "/z;type=e"];

async function visit(options: ServerOptions) {
  await using visited = await ScriptedServer.start({ ...server, ...options });
  const urls = paths.map((path) => visited.url(path, { user: "jane", password: "secret" }));
  const words = ["-v", "--progress=none", "--account=sales", "-O", "out"];
  const { status, output, cwd } = await ftpull([...words, ...urls]);
  const lines = withoutPorts(output, visited).split("\n");
  const outcome = {
    status,
    files: filesIn(cwd),
    // Replies come into the dialogue when they arrive.
    said: lines.filter((line) => !isDialogue(line)),
    dialogue: lines.filter(isDialogue),
    commands: visited.commands,
  };
  return { outcome, octets: visited.connections[0]?.sentOctets ?? 0 };
}

const isDialogue = (line: string): boolean => /^[<>] /.test(line);

/** Ports are all that differs between two runs. */
function withoutPorts(text: string, { port }: ScriptedServer): string {
  return text.replaceAll(`:${port}/`, ":PORT/").replaceAll(/\d+,\d+\)|\|\d+\|/g, "PORT");
}

const cutsARun = 8;

it("S1 P4 P8 a reply that arrives in two parts is the same reply, wherever it is cut", async () => {
  const { octets, outcome } = await visit({});
  expect(outcome).toMatchObject({ status: 8, files: { out: "axx\nb/\nz" } });
  const places = octets - 1;
  const full = Math.ceil(places / cutsARun);
  const cuts = { title: "cuts of replies", sample: 25, full, width: 1, budgetMs: 60_000 };
  await campaign(cuts, async (seed) => {
    // Every place in turn, since it is a prime, and far from the one before.
    const split = Array.from(
      { length: cutsARun },
      (_, index) => 1 + (((seed * cutsARun + index) * 7919) % places),
    );
    expect((await visit({ split })).outcome, `parted before octets ${split.join()}`).toEqual(
      outcome,
    );
  });
}, 7_200_000);

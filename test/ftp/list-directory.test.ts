/** Which commands list a directory, against a session that answers from a table. */
import { expect, test } from "vitest";
import { FtpullError, NetworkFailure, toFtpullError } from "../../src/errors.ts";
import { BrokenOff, parseReply, ReplyError } from "../../src/ftp/control/reply.ts";
import type { Completion } from "../../src/ftp/data/transfer.ts";
import { listDirectory, type ReceiverFor } from "../../src/ftp/list-directory.ts";
import type { Session } from "../../src/ftp/session.ts";
import type { Plan } from "../../src/url/plan.ts";

/** Answer to a command: data, where "?" can't be parsed, a refusal, or a failure. */
type Answer = string | Error | { readonly cut: string };

interface Setup {
  /** A feature of the server's. */
  readonly feature?: string;
  /** Set where the directory can't be entered. */
  readonly name?: string;
  readonly isAll?: boolean;
  readonly answers: Readonly<Record<string, Answer>>;
}

const plan: Plan = {
  cwds: [],
  name: "",
  action: "list",
  type: undefined,
  conversion: "none",
};

async function list({ feature, name = "", isAll, answers }: Setup) {
  const lines: string[] = [];
  const shown: string[] = [];
  let format: string | undefined;
  const session = {
    capabilities: {},
    features: new Map(feature === undefined ? [] : [[feature, ""]]),
    locateListing: async () => name,
    list: async (line: string, sink: (chunk: Buffer) => void): Promise<Completion> => {
      lines.push(line);
      expect(line.split(" ")[0]).toBe(format);
      const answer = answers[line] ?? "500 unknown";
      if (answer instanceof Error) throw answer;
      if (typeof answer === "string" && /^[45]\d\d /.test(answer))
        throw new ReplyError("cannot list", parseReply(answer));
      const data = typeof answer === "string" ? answer : answer.cut;
      sink(Buffer.from(data));
      if (typeof answer === "string") return { isEmpty: data === "" };
      const error = new NetworkFailure("cut");
      return { error, isEmpty: data === "" };
    },
  };
  const receiverFor: ReceiverFor = (command, asItComes) => {
    let text = "";
    format = command;
    return {
      take: (chunk) => void (text += chunk.toString()),
      end: async () => {
        const isRead = asItComes || !text.includes("?");
        if (isRead) shown.push(text);
        return isRead;
      },
    };
  };
  const end = await listDirectory(session as unknown as Session, plan, receiverFor, isAll).then(
    ({ error }) => (error === undefined ? "whole" : "cut"),
    (error: unknown) => toFtpullError(error).message,
  );
  return { lines, shown, end };
}

type Row = [claim: string, setup: Setup, lines: string[], shown: string[], end?: string];

const empty = "550 No files found";

const inside: Row[] = [
  ["P9 MLSD where FEAT has MLST", { feature: "MLST", answers: { MLSD: "a" } }, ["MLSD"], ["a"]],
  ["P9 or MLSD", { feature: "MLSD", answers: { MLSD: "a" } }, ["MLSD"], ["a"]],
  ["P9 else LIST", { answers: { LIST: "a" } }, ["LIST"], ["a"]],
  ["an empty listing", { answers: { LIST: "" } }, ["LIST"], [""]],
  ["MLSD refused", { feature: "MLST", answers: { LIST: "a" } }, ["MLSD", "LIST"], ["a"]],
  ["P9 LIST refused", { answers: { NLST: "a" } }, ["LIST", "NLST"], ["a"]],
  [
    "all refused: the first one's words",
    { answers: { LIST: "550 no", NLST: "502 no" } },
    ["LIST", "NLST"],
    [],
    'cannot list: server replied 550 "no"',
  ],
  [
    "a 4yz is tried again, not passed over",
    { answers: { LIST: "450 busy", NLST: "a" } },
    ["LIST"],
    [],
    'cannot list: server replied 450 "busy"',
  ],
  [
    "so is a listing that broke off, with any code",
    { answers: { LIST: "?", NLST: new BrokenOff("broken", parseReply("450 no")) } },
    ["LIST", "NLST"],
    [],
    'broken: server replied 450 "no"',
  ],
  [
    "other failures end it",
    { answers: { LIST: new FtpullError("file", "disk full"), NLST: "a" } },
    ["LIST"],
    [],
    "disk full",
  ],
  [
    "a listing without an end isn't ended",
    { answers: { LIST: { cut: "?" } } },
    ["LIST"],
    [],
    "cut",
  ],
  ["P9 lines that can't be read", { answers: { LIST: "?", NLST: "a" } }, ["LIST", "NLST"], ["a"]],
  ...(["550 no", "450 no", ""] as const).map((answer): Row => [
    `they are shown where NLST gives ${JSON.stringify(answer)}`,
    { answers: { LIST: "?", NLST: answer } },
    ["LIST", "NLST", "LIST"],
    answer === "" ? ["", "?"] : ["?"],
  ]),
  [
    "but not where it may answer later",
    { answers: { LIST: "?", NLST: "451 no" } },
    ["LIST", "NLST"],
    [],
    'cannot list: server replied 451 "no"',
  ],
  [
    "nor where nothing has come of it yet",
    { answers: { LIST: "?", NLST: { cut: "" } } },
    ["LIST", "NLST"],
    [],
    "cut",
  ],
  ...([empty, "450 it is empty"] as const).map((answer): Row => [
    `P9 LIST and NLST refused, and LIST says ${answer}: it is empty`,
    { answers: { LIST: answer, NLST: "450 no" } },
    ["LIST", "NLST"],
    [""],
  ]),
  ["P9 NLST knows better", { answers: { LIST: empty, NLST: "a" } }, ["LIST", "NLST"], ["a"]],
  [
    "P9 if NLST alone says so, it isn't",
    { answers: { LIST: "550 no", NLST: empty } },
    ["LIST", "NLST"],
    [],
    'cannot list: server replied 550 "no"',
  ],
  [
    "nor with another code",
    { answers: { LIST: "500 no files found", NLST: "550 no" } },
    ["LIST", "NLST"],
    [],
    'cannot list: server replied 500 "no files found"',
  ],
  ["LIST -a alone, as it comes", { isAll: true, answers: { "LIST -a": "?" } }, ["LIST -a"], ["?"]],
  [
    "LIST -a refused",
    { isAll: true, answers: { LIST: "a" } },
    ["LIST -a"],
    [],
    'cannot list: server replied 500 "unknown"',
  ],
];

const byName: Row[] = [
  [
    "P6 MLSD of a name",
    { name: "x", feature: "MLST", answers: { "MLSD x": "a" } },
    ["MLSD x"],
    ["a"],
  ],
  ["P6 else NLST", { name: "x", answers: { "NLST x": "a" } }, ["NLST x"], ["a"]],
  [
    "P6 also where MLSD is refused",
    { name: "x", feature: "MLST", answers: { "NLST x": "a" } },
    ["MLSD x", "NLST x"],
    ["a"],
  ],
  [
    "P6 nothing at all is an error",
    { name: "x", answers: { "NLST x": "" } },
    ["NLST x"],
    [""],
    'there is no directory "x"',
  ],
  [
    "P6 a name like an option goes with MLSD alone",
    { name: "-la", answers: { "NLST -la": "a" } },
    ["MLSD -la"],
    [],
    'cannot list: server replied 500 "unknown"',
  ],
];

test.each([...inside, ...byName])("%s", async (_claim, setup, lines, shown, end = "whole") => {
  const listed = await list(setup);
  expect(listed.lines).toEqual(lines);
  expect(listed.shown).toEqual(shown);
  expect(listed.end).toBe(end);
});

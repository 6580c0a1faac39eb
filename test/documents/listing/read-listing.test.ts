/** Which commands list a directory, against a session that answers from a table. */
import { expect, test } from "vitest";
import { readListing } from "../../../src/documents/listing/read-listing.ts";
import { FtpullError, networkError, toFtpullError } from "../../../src/errors.ts";
import { parseReply, ReplyError, transferError } from "../../../src/ftp/control/reply.ts";
import type { Completion } from "../../../src/ftp/data/transfer-end.ts";
import { ServerCapabilities } from "../../../src/ftp/capabilities.ts";
import type { Session } from "../../../src/ftp/session.ts";
import type { Plan } from "../../../src/url/plan.ts";
import { run } from "../../support/run-here.ts";
import { startServer } from "../../support/start-server.ts";
import { runTransfer } from "../../support/transfer.ts";

interface Setup {
  /** Features of the server's. */
  readonly features?: readonly string[];
  /** Set where the directory can't be entered. */
  readonly name?: string;
  readonly isAll?: boolean;
}

const plan: Plan = { cwds: [], name: "", action: "list", type: undefined, conversion: "none" };

const lineOf: Record<string, (name: string) => string> = {
  MLSD: (name) => `type=file; ${name}`,
  LIST: (name) => `-rw-r--r-- 1 u g 1 Jan 1 2020 ${name}`,
  NLST: (name) => name,
};

/**
 * Lists a directory by a dialogue such as "LIST (?); NLST (450 no)", in which each command has its name, where
 * the line of "?" can't be parsed and "cut" has no end, or its refusal, or fails.
 */
async function list(dialogue: string, { features = [], name = "", isAll }: Setup, failure?: Error) {
  const steps = dialogue.split("; ").map((step) => /^(.*?)(?: \((.*)\))?$/.exec(step) ?? []);
  const lines: string[] = [];
  let shown = "";
  const session = {
    capabilities: new ServerCapabilities(true),
    features: new Map(features.map((feature) => [feature, ""])),
    locateListing: async () => name,
    list: async (line: string, sink: (chunk: Buffer) => void): Promise<Completion> => {
      lines.push(line);
      const answer = steps[lines.length - 1]?.[2];
      if (answer === undefined) throw failure;
      if (/^[45]\d\d /.test(answer)) throw new ReplyError("cannot list", parseReply(answer));
      const data = answer.replace(/ ?cut$/, "");
      const text = data === "?" || data === "" ? data : lineOf[line.slice(0, 4)]!(data);
      sink(Buffer.from(text));
      const isEmpty = data === "";
      return data === answer ? { isEmpty } : { isEmpty, doubt: networkError("cut") };
    },
  };
  const entry = (one: { name: string }): void => void (shown += one.name);
  const sink = { begin: () => ({ entry }), ...(isAll && { isAll }) };
  const end = await readListing(session as unknown as Session, plan, sink).then(
    () => "whole",
    (error: unknown) => toFtpullError(error).message,
  );
  expect(lines).toEqual(steps.map(([, line]) => line));
  return { shown, end };
}

type Row = [claim: string, setup: Setup, dialogue: string, shown: string, end?: string];

const known = { features: ["MLST"] };
const all = { isAll: true };
const named = { name: "x" };
const empty = "550 No files found";
const refused = (reply: string): string => `cannot list: server replied ${reply}`;

test.each<Row>([
  ["P9 MLSD where FEAT has MLST", known, "MLSD (a)", "a"],
  ["P9 or MLSD", { features: ["MLSD"] }, "MLSD (a)", "a"],
  ["P9 else LIST", {}, "LIST (a)", "a"],
  ["an empty listing", {}, "LIST ()", ""],
  ["MLSD refused", known, "MLSD (500 no); LIST (a)", "a"],
  ["P9 LIST refused", {}, "LIST (500 no); NLST (a)", "a"],
  ["both: the first one's words", {}, "LIST (550 no); NLST (502 no)", "", refused('550 "no"')],
  ["a 4yz is tried again, not passed over", {}, "LIST (450 busy)", "", refused('450 "busy"')],
  ["a listing without an end isn't ended", {}, "LIST (? cut)", "", "cut"],
  ["P9 lines that can't be read", {}, "LIST (?); NLST (a)", "a"],
  ["they are shown where NLST gives 550", {}, "LIST (?); NLST (550 no); LIST (?)", "?"],
  ["they are shown where NLST gives 450", {}, "LIST (?); NLST (450 no); LIST (?)", "?"],
  ["they are shown where NLST gives nothing", {}, "LIST (?); NLST (); LIST (?)", "?"],
  ["but not where it may later", {}, "LIST (?); NLST (451 no)", "", refused('451 "no"')],
  ["nor where nothing has come of it yet", {}, "LIST (?); NLST (cut)", "", "cut"],
  ["P9 LIST and NLST refused, by 550: it is empty", {}, `LIST (${empty}); NLST (450 no)`, ""],
  ["P9 and by 450", {}, "LIST (450 it is empty); NLST (450 no)", ""],
  ["P9 NLST knows better", {}, `LIST (${empty}); NLST (a)`, "a"],
  ["P9 NLST alone says so", {}, `LIST (550 no); NLST (${empty})`, "", refused('550 "no"')],
  ["nor by 500", {}, "LIST (500 no files); NLST (550 no)", "", refused('500 "no files"')],
  ["LIST -a alone, as it comes", all, "LIST -a (?)", "?"],
  ["LIST -a refused", all, "LIST -a (500 no)", "", refused('500 "no"')],
  ["P6 MLSD of a name", { ...known, ...named }, "MLSD x (a)", "a"],
  ["P6 else NLST", named, "NLST x (a)", "a"],
  ["P6 also where MLSD is refused", { ...known, ...named }, "MLSD x (500 no); NLST x (a)", "a"],
  ["P6 nothing at all is an error", named, "NLST x ()", "", 'there is no directory "x"'],
  ["P6 a name like -la: MLSD alone", { name: "-la" }, "MLSD -la (500 no)", "", refused('500 "no"')],
])("%s", async (_claim, setup, dialogue, shown, end = "whole") => {
  expect(await list(dialogue, setup)).toEqual({ shown, end });
});

test.each([
  ["a broken listing", "LIST (?); NLST", transferError("broken", parseReply("450 no"), true)],
  ["a full disk", "LIST", new FtpullError("file", "disk full")],
])("%s ends it: %s", async (_claim, dialogue, failure) => {
  const end = toFtpullError(failure).message;
  expect(await list(dialogue, {}, failure)).toEqual({ shown: "", end });
});

test("a listing without an end is a failure, before it takes all memory", async () => {
  function* names(): Generator<Buffer> {
    for (const line = Buffer.from(`type=file; ${"x".repeat(60_000)}\r\n`); ;) yield line;
  }
  const server = await startServer({ on: { MLSD: (exchange) => runTransfer(exchange, names()) } });
  const { status, stderr } = await run(["-r", "-A", "none", server.url("/")]);
  expect(stderr).toContain("cannot read the listing: it is too long");
  expect(status).toBe(7);
});

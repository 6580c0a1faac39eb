/** Replies of a good server, of which one is spoilt, followed by another, doubled, lost, or late. */
import type { ScriptedServer } from "../../support/scripted-server.ts";
import { Random } from "./random.ts";

const strays = ["150 here", "200 okay", "213 7", "226 done", "229 (|||1|)", "250 here"];

export type Misplacement = { readonly stray: string } | "doubled" | "lost" | "late" | "spoilt";

export const misplacements: readonly Misplacement[] = [
  ...[...strays, '257 "/"', "331 password", "350 more", "550 no"].map((stray) => ({ stray })),
  "doubled",
  "lost",
  "late",
  "spoilt",
  "spoilt",
  "spoilt",
];

/** Counts the replies of all connections from 0 on; the one at `position` is misplaced. */
export class MisplacedReplies {
  count = 0;
  #held: Buffer | undefined;

  constructor(server: ScriptedServer, position = -1, how: Misplacement = "doubled", seed = 0) {
    const random = new Random(seed);
    server.on("greeting", async (exchange) => {
      const { control } = exchange.session;
      const send = control.send.bind(control);
      control.send = async (reply) => {
        const isHit = this.count++ === position;
        const held = isHit ? undefined : this.#held;
        if (isHit && how === "late") this.#held = reply;
        else for (const sent of isHit ? replaced(reply, how, random) : [reply]) await send(sent);
        if (held !== undefined) await send(held);
        if (held !== undefined) this.#held = undefined;
      };
      await exchange.proceed();
    });
  }
}

function replaced(reply: Buffer, how: Misplacement, random: Random): Buffer[] {
  if (how === "doubled") return [reply, reply];
  if (how === "lost" || how === "late") return [];
  if (how !== "spoilt") return [Buffer.from(`${how.stray}\r\n`), reply];
  const text = reply.toString("latin1");
  return [Buffer.from(random.pick(mutations)(text, random), "latin1")];
}

const codes = "000 110 125 150 200 211 213 220 226 227 229 230 250 257 331 332 350 421 425 450 451 500 501 502 503 504 530 532 550 553 600 999"; // prettier-ignore

const nasty = ["\0", "\x1b[2J", "\x1b]0;t\x07", "\r", "\n", "\xff\xf4", "\xe2\x80\xae", "%s%n", "\x9b1m", "(|||0|)", "-1", "99999999999999999999"]; // prettier-ignore

const mutations: readonly ((reply: string, random: Random) => string)[] = [
  (reply, random) => random.pick(codes.split(" ")) + reply.slice(3),
  (reply, random) => reply.replaceAll(/(?<=^.{4,})\d/gm, () => String(random.below(10))),
  (reply, random) => {
    const at = 4 + random.below(reply.length - 5);
    return reply.slice(0, at) + random.pick(nasty) + reply.slice(at);
  },
  (reply) => reply.replaceAll("\r\n", "\n"),
  (reply) => reply.replaceAll("\r\n", "\r\r\n"),
  (reply) => `${reply.slice(0, 3)}-first\r\n middle\r\n${reply}`,
  (reply, random) => `${reply.slice(0, 4)}${"x".repeat(random.below(100_000))}\r\n`,
  (reply, random) => "120 wait\r\n".repeat(random.below(5)) + reply,
  (reply, random) => `${random.pick(["HTTP/1.1 400 Bad Request", "SSH-2.0-x", ""])}\r\n${reply}`,
  (reply) => reply.slice(0, -2),
];

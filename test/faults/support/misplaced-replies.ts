/** Replies of a good server, of which one is followed by another, doubled, lost, or late. */
import type { ScriptedServer } from "../../support/scripted-server.ts";

export const strays = ["150 here", "200 okay", "213 7", "226 done", "229 (|||1|)", "250 here"];

export type Misplacement = { readonly stray: string } | "doubled" | "lost" | "late";

export const misplacements: readonly Misplacement[] = [
  ...[...strays, '257 "/"', "331 password", "350 more", "550 no"].map((stray) => ({ stray })),
  "doubled",
  "lost",
  "late",
];

/** Counts the replies of all connections from 0 on; the one at `position` is misplaced. */
export class MisplacedReplies {
  count = 0;
  #held: Buffer | undefined;

  constructor(server: ScriptedServer, position = -1, how: Misplacement = "doubled") {
    server.on("greeting", async (exchange) => {
      const { control } = exchange.session;
      const send = control.send.bind(control);
      control.send = async (reply) => {
        const isHit = this.count++ === position;
        const held = isHit ? undefined : this.#held;
        if (isHit && how === "late") this.#held = reply;
        else for (const sent of isHit ? replaced(reply, how) : [reply]) await send(sent);
        if (held !== undefined) await send(held);
        if (held !== undefined) this.#held = undefined;
      };
      await exchange.proceed();
    });
  }
}

function replaced(reply: Buffer, how: Misplacement): Buffer[] {
  if (how === "doubled") return [reply, reply];
  if (how === "lost" || how === "late") return [];
  return [Buffer.from(`${how.stray}\r\n`), reply];
}

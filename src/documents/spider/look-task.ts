/** --spider: asks what a URL's name is, and prints it without fetching it. */
import { quoteName, ReplyError } from "../../ftp/control/reply.ts";
import type { Session } from "../../ftp/session.ts";
import { kindOf } from "../file/kind-of.ts";
import type { Result } from "../result.ts";
import { type Document, planOver, type Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import type { Inventory } from "./inventory.ts";

export class LookTask implements Task {
  readonly document: Document;
  readonly #inventory: Inventory;

  constructor(document: Document, inventory: Inventory) {
    this.document = document;
    this.#inventory = inventory;
  }

  async run(session: Session, tries: Tries): Promise<Result> {
    const plan = planOver(session, this.document);
    const { shownUrl: url } = this.document;
    const found = await kindOf(session, plan);
    if (found.kind === "file") return this.#inventory.printFile(found.facts, url);
    if (found.kind === "nothing") {
      const { refusal } = found;
      if (!(refusal instanceof ReplyError)) throw refusal;
      throw new ReplyError(`cannot find ${quoteName(plan.name)}`, refusal.reply);
    }
    await this.#inventory.print({ kind: "directory" }, url);
    tries.observer.info(`${url}: a directory is there; -r shows what is in it`);
    return { url, status: "done", exit: 0 };
  }
}

/** --spider: asks what a URL's name is, and prints it without fetching it. */
import { quoteName, ReplyError } from "../../ftp/control/reply.ts";
import { kindOf } from "../file/kind-of.ts";
import { type Document, planOver, type Task } from "../task.ts";
import type { Inventory } from "./inventory.ts";

export function lookTask(document: Document, inventory: Inventory): Task {
  const { shownUrl: url } = document;
  return {
    document,
    async run(session, { observer }) {
      const plan = planOver(session, document);
      const found = await kindOf(session, plan);
      if (found.kind === "file") return inventory.printFile(found.facts, url);
      if (found.kind === "nothing") {
        if (!(found.refusal instanceof ReplyError)) throw found.refusal;
        throw new ReplyError(`cannot find ${quoteName(plan.name)}`, found.refusal.reply);
      }
      await inventory.print({ kind: "directory" }, url);
      observer.info(`${url}: a directory is there; -r shows what is in it`);
      return { url, status: "done", exit: 0 };
    },
  };
}

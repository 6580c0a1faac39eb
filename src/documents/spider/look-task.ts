/** --spider: asks whether a file or directory is there, and for its facts, without fetching it. */
import type { Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { kindOf } from "../file/kind-of.ts";
import type { Result } from "../result.ts";
import { type Document, planInside, planOver, type Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import type { Below } from "../tree/directory.ts";
import { leadsNowhere, linkToNoFile } from "../tree/follow-task.ts";
import type { Inventory } from "./inventory.ts";

const directory = { kind: "directory" } as const;

export class LookTask implements Task {
  readonly document: Document;
  readonly #inventory: Inventory;
  readonly #below: Below | undefined;
  #isDirectory = false;

  constructor(document: Document, inventory: Inventory, below?: Below) {
    this.document = document;
    this.#inventory = inventory;
    this.#below = below;
  }

  async run(session: Session, tries: Tries): Promise<Result | undefined> {
    const { shownUrl } = this.document;
    const plan = planOver(session, this.document);
    const { isLink = false, parent } = this.#below?.directory ?? {};
    const isListing = plan.action === "list";
    const found = isListing ? directory : await kindOf(session, plan, { asksNlst: !isLink });
    if (found.kind === "nothing") {
      if (this.#below === undefined) throw found.refusal;
      return leadsNowhere(this.#below.directory, this.document, found.refusal);
    }
    const isDirectory = found.kind === "directory";
    if (isDirectory) await session.enter(planInside(plan).cwds);
    const facts = isDirectory ? undefined : found.facts;
    if (!this.#isWanted(facts)) return this.#leaveOut(isLink && isDirectory);
    this.#isDirectory = isDirectory;
    const { size, modified } = facts ?? {};
    // A tree's top has no line, nor has a link that only a pattern for names inside matches.
    const isTop = this.#below !== undefined && parent === undefined && isDirectory;
    if (!isTop && parent?.isOnTheWay !== true)
      this.#inventory.print({ kind: isDirectory ? "directory" : "file", size, modified }, shownUrl);
    await this.#inventory.caughtUp();
    if (isDirectory && this.#below !== undefined) return undefined;
    if (isDirectory)
      tries.observer.info(`${shownUrl}: a directory is there; -r counts what is in it`);
    return { url: shownUrl, status: "done", exit: 0, size, modified };
  }

  further(): Iterator<Task> | undefined {
    const task = this.#isDirectory ? this.#below?.list() : undefined;
    return task && [task].values();
  }

  #isWanted(facts: Facts | undefined): boolean {
    if (this.#below === undefined) return true;
    const { place, options } = this.#below.directory;
    if (facts === undefined) return place.wanted.isDirectory;
    return place.wanted.isFile && options.selection.hasTime(facts.modified);
  }

  #leaveOut(isLinkToDirectory: boolean): undefined {
    if (isLinkToDirectory)
      this.#below?.directory.tree.leftOut(this.document.shownUrl, linkToNoFile);
  }
}

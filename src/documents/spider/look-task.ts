/** --spider: asks what a name is, and prints it without fetching it. */
import type { Session } from "../../ftp/session.ts";
import type { Result } from "../result.ts";
import type { Document, Task } from "../task.ts";
import type { Tries } from "../task-tries.ts";
import type { Below } from "../tree/directory.ts";
import { kindOfName } from "../tree/name-task.ts";
import type { Inventory } from "./inventory.ts";

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
    const found = await kindOfName(session, this.document, this.#below);
    if (found === undefined) return undefined;
    const { shownUrl: url } = this.document;
    this.#isDirectory = found.kind === "directory";
    if (found.kind === "directory") {
      if (this.#below !== undefined) return this.#printBelow(this.#below);
      await this.#inventory.print({ kind: "directory" }, url);
      tries.observer.info(`${url}: a directory is there; -r shows what is in it`);
      return { url, status: "done", exit: 0 };
    }
    const { size, modified } = found.facts;
    const { place, options } = this.#below?.directory ?? {};
    const isWanted =
      place?.wanted.isFile !== false && options?.selection.hasTime(modified) !== false;
    if (!isWanted) return undefined;
    await this.#inventory.print({ kind: "file", size, modified }, url);
    return { url, status: "done", exit: 0, size, modified };
  }

  further(): Iterator<Task> | undefined {
    const task = this.#isDirectory ? this.#below?.list() : undefined;
    return task && [task].values();
  }

  /** A tree's top has no line, nor has a link that only a pattern for names inside matches. */
  async #printBelow({ directory: { parent, place } }: Below): Promise<undefined> {
    this.#isDirectory = place.wanted.isDirectory;
    const isShown = this.#isDirectory && parent !== undefined && !parent.isOnTheWay;
    if (isShown) await this.#inventory.print({ kind: "directory" }, this.document.shownUrl);
  }
}

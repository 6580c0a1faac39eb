/** --delete: at the end of a whole run, removes the local files of its trees that the server no longer has. */
import { relative } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { ClosedOutput, FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import { countFiles, type GoneFile, removeGone } from "../../files/gone.ts";
import type { Batch } from "../fetch-all.ts";
import { failed } from "../result.ts";
import type { Inventory } from "../spider/inventory.ts";
import { GoneFiles } from "./gone-files.ts";

interface DeletionOptions extends Pick<Batch, "observer" | "report"> {
  /** The most files and links that may go from a tree; undefined for half of them, or ten. */
  readonly most: { readonly number: number; readonly isPercent: boolean } | undefined;
  readonly inventory: Inventory | undefined;
  readonly signal: AbortSignal;
}

export class Deletion {
  readonly #trees: GoneFiles[] = [];
  readonly #options: DeletionOptions;

  constructor(options: DeletionOptions) {
    this.#options = options;
  }

  treeAt(top: string): GoneFiles {
    const gone = new GoneFiles(top);
    this.#trees.push(gone);
    return gone;
  }

  /** Removes what is gone, or says why nothing is; `status` is the run's. @throws Interrupted, ClosedOutput */
  async conclude(status: number): Promise<void> {
    const { observer, signal } = this.#options;
    const reasons = this.#trees.flatMap(({ why }) => why ?? []);
    const [why] = status === 0 ? reasons : ["not everything arrived"];
    if (why !== undefined) return observer.warning(`nothing was deleted: ${why}`, true);
    await this.#reporting(async () => {
      for (const { top, all } of this.#trees) this.#checkNumber(all.filter(isFile).length, top);
      for (const { top, all } of this.#trees)
        for (const file of all) {
          await pause(); // a signal is noticed
          signal.throwIfAborted();
          await this.#reporting(() => this.#remove(file, top));
        }
    });
  }

  #checkNumber(count: number, top: string): void {
    const { most } = this.#options;
    if (count <= (most === undefined ? 10 : 0)) return;
    const { number, isPercent } = most ?? { number: 50, isPercent: true };
    const permitted = isPercent ? Math.floor((countFiles(top) * number) / 100) : number;
    if (count <= permitted) return;
    const words = `nothing was deleted: of the files in "${top}" the server no longer has ${count}`;
    const hint = `if that is right, permit it with --max-delete ${count}`;
    throw new FtpullError("other", `${words}, and only ${permitted} may go`, { hint });
  }

  async #remove(file: GoneFile, top: string): Promise<void> {
    const { inventory, report, observer } = this.#options;
    const { path } = file;
    if (inventory !== undefined) {
      if (!isFile(file)) return;
      inventory.gone(relative(top, path));
      if (inventory.isBehind) await inventory.caughtUp();
      if (inventory.hasLines) return;
    } else {
      if (!removeGone(file, top)) return;
      if (!isFile(file)) return observer.detail(`"${path}": deleted`);
      observer.info(`"${path}": deleted`);
    }
    await report({ url: undefined, status: "deleted", exit: 0, file: path });
  }

  async #reporting(work: () => Promise<void>): Promise<void> {
    await work().catch(async (error: unknown) => {
      if (error instanceof Interrupted || error instanceof ClosedOutput) throw error;
      await this.#options.report(failed(undefined, toFtpullError(error)));
    });
  }
}

function isFile({ kind }: GoneFile): boolean {
  return kind !== "directory";
}

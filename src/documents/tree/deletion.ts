/** --delete: at the end of a whole run, removes the local files of its trees that the server no longer has. */
import { relative } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { ClosedOutput, FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import { countFiles, type GoneFile, removeGone } from "../../files/gone.ts";
import type { Batch } from "../fetch-all.ts";
import { failed, type Result } from "../result.ts";
import type { Inventory } from "../spider/inventory.ts";
import type { GoneFiles } from "./gone-files.ts";

/** Without --max-delete, so many files and links may go in any case, and half of more. */
const mostInAnyCase = 10;
const half = { number: 50, isPercent: true };

interface DeletionOptions extends Pick<Batch, "observer" | "report"> {
  readonly most: { readonly number: number; readonly isPercent: boolean } | undefined;
  readonly inventory: Inventory | undefined;
  readonly signal: AbortSignal;
}

/** Removes what is gone from trees, or says why not; `status` is the run's. @throws Interrupted, ClosedOutput */
export async function deleteGone(
  trees: readonly GoneFiles[],
  status: number,
  options: DeletionOptions,
): Promise<void> {
  const { observer, signal, inventory } = options;
  const reasons = trees.flatMap(({ why }) => why ?? []);
  const [why] = status === 0 ? reasons : ["not everything arrived"];
  if (why !== undefined) return observer.warnAlways(`nothing was deleted: ${why}`);
  await reporting(options, async () => {
    for (const { top, all } of trees) checkNumber(all.filter(isFile).length, top, options);
    for (const { top, all } of trees)
      for (const file of all) {
        await pause(); // a signal is noticed
        signal.throwIfAborted();
        await reporting(options, () =>
          inventory === undefined
            ? remove(file, top, options)
            : show(file, top, inventory, options.report),
        );
      }
  });
}

async function reporting({ report }: DeletionOptions, work: () => Promise<void>): Promise<void> {
  await work().catch(async (error: unknown) => {
    if (error instanceof Interrupted || error instanceof ClosedOutput) throw error;
    await report(failed(undefined, toFtpullError(error)));
  });
}

function checkNumber(count: number, top: string, { most }: DeletionOptions): void {
  if (count <= (most === undefined ? mostInAnyCase : 0)) return;
  const { number, isPercent } = most ?? half;
  const permitted = isPercent ? Math.floor((countFiles(top) * number) / 100) : number;
  if (count <= permitted) return;
  const words = `nothing was deleted: of the files in "${top}" the server no longer has ${count}`;
  const hint = `if that is right, permit it with --max-delete ${count}`;
  throw new FtpullError("other", `${words}, and only ${permitted} may go`, { hint });
}

async function remove(
  file: GoneFile,
  top: string,
  { observer, report }: DeletionOptions,
): Promise<void> {
  if (!removeGone(file, top)) return;
  const words = `"${file.path}": deleted`;
  if (!isFile(file)) return observer.detail(words);
  observer.info(words);
  await report(deleted(file));
}

async function show(
  file: GoneFile,
  top: string,
  inventory: Inventory,
  report: Batch["report"],
): Promise<void> {
  if (!isFile(file)) return;
  inventory.gone(relative(top, file.path));
  if (inventory.isBehind) await inventory.caughtUp();
  if (!inventory.hasLines) await report(deleted(file));
}

function deleted({ path: file }: GoneFile): Result {
  return { url: undefined, status: "deleted", exit: 0, file };
}

function isFile({ kind }: GoneFile): boolean {
  return kind !== "directory";
}

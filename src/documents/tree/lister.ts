/**
 * The listing of a directory of a tree, and which command shows all of its names: LIST may leave
 * those with a leading dot out, and some servers read the "-a" of `LIST -a` as a name.
 */
import { type FtpullError, Interrupted, isOutOfFiles, toFtpullError } from "../../errors.ts";
import { Spool } from "../../files/output/spool.ts";
import type { Session } from "../../ftp/session.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Plan } from "../../url/plan.ts";
import type { AttemptState } from "../attempt-state.ts";
import type { Job } from "../job.ts";
import { fetchListing } from "../list.ts";
import { SerialQueue } from "../queue/serial-queue.ts";
import { type EntryRecord, parseRecord, Recorder } from "./record.ts";

/** What came of a listing. */
export interface Entries {
  readonly spool: Spool;
  /** Undefined if no listing began. */
  readonly recorder: Recorder | undefined;
  /** Why it isn't whole. */
  readonly failure: FtpullError | undefined;
}

/** In so many directories with entries `LIST -a` may show nothing more before it is given up. */
const mostEqual = 3;

const mayLack = "hidden files may be left out";

/** Lists the directories of one tree, and learns from each what to ask for in the next. */
export class Lister {
  readonly #warn: (text: string) => void;
  /** When `LIST -a` is asked for; undefined if the server doesn't know it, or hides nothing. */
  #hidden: "first" | "after LIST" | undefined = "after LIST";
  /** The directories with entries of which it has shown nothing more. */
  #equal = 0;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  /** @throws Interrupted */
  async list(session: Session, plan: Plan, job: Job, state: AttemptState): Promise<Entries> {
    const ask = (command?: "LIST -a"): Promise<Entries> =>
      entriesOf(session, plan, job, state, command);
    if (this.#hidden === "first" && !session.hasMlsd) {
      const all = await ask("LIST -a");
      if (all.recorder?.showsSelf || all.failure !== undefined) return all;
      return this.#choose(await ask(), all, job.shownUrl);
    }
    const plain = await ask();
    if (this.#hidden === undefined || showsHidden(plain)) return plain;
    return this.#choose(plain, await ask("LIST -a"), job.shownUrl);
  }

  /** The entries of `LIST -a` where it is known and nothing of LIST is missing in them. */
  #choose(plain: Entries, all: Entries, shownUrl: string): Entries {
    if (all.recorder?.showsSelf) this.#hidden = "first";
    const broken = this.#isUnknown(all, shownUrl) ? undefined : all.failure;
    const failure = plain.failure ?? broken;
    const isUsed =
      failure === undefined && all.failure === undefined && this.#isBetter(plain, all, shownUrl);
    const [used, other] = isUsed ? [all, plain] : [plain, all];
    other.spool.close();
    return { ...used, failure };
  }

  /** A server that has answered LIST and doesn't know "-a" may fail in any way, and would again. */
  #isUnknown({ failure }: Entries, shownUrl: string): boolean {
    if (failure === undefined || this.#hidden === "first" || isOutOfFiles(failure)) return false;
    if (failure.kind === "file" || failure.kind === "integrity") return false;
    this.#hidden = undefined;
    if (failure.transient)
      this.#warn(`${shownUrl}: "LIST -a" failed: ${mayLack}: ${failure.message}`);
    return true;
  }

  #isBetter(plain: Entries, all: Entries, shownUrl: string): boolean {
    if (all.recorder?.showsSelf) return true;
    if (isSuperset(all, plain)) {
      this.#compare(plain.recorder?.entries, all.recorder?.entries);
      return true;
    }
    // A file "-a" doesn't exist: its listing is empty.
    if (all.recorder?.isEmpty) this.#hidden = undefined;
    else this.#warn(`${shownUrl}: "LIST -a" lacks names of LIST: ${mayLack}`);
    return false;
  }

  /** Once it has shown more, it is asked for to the end. */
  #compare(plain = 0, all = 0): void {
    if (all > plain) this.#equal = -Infinity;
    else if (plain > 0 && ++this.#equal === mostEqual) this.#hidden = undefined;
  }
}

/** Whether no further names can be expected. */
function showsHidden({ recorder, failure }: Entries): boolean {
  if (failure !== undefined || recorder === undefined) return true;
  return (
    recorder.showsSelf ||
    recorder.command === "MLSD" ||
    (recorder.command === "NLST" && !recorder.isEmpty)
  );
}

function isSuperset(all: Entries, plain: Entries): boolean {
  const missing = new Set([...recordsOf(plain)].map(keyOf));
  for (const record of recordsOf(all))
    if (!missing.delete(keyOf(record)) && record.type === "unread") return false;
  return missing.size === 0;
}

function keyOf({ type, name }: EntryRecord): string {
  return type === "unread" ? `${name}/` : name;
}

export function* recordsOf({ spool }: Entries): Generator<EntryRecord> {
  for (const line of spool.lines()) yield parseRecord(line);
}

async function entriesOf(
  session: Session,
  plan: Plan,
  job: Job,
  state: AttemptState,
  command: "LIST -a" | undefined,
): Promise<Entries> {
  const spool = new Spool();
  let recorder: Recorder | undefined;
  const listing = {
    isRaw: false,
    destination: spool,
    command,
    formatterFor: (_url: FtpUrl, _plan: Plan, used: ListingCommand) =>
      (recorder = new Recorder(used)),
    queue: new SerialQueue(),
    lastShown: undefined,
  };
  try {
    await fetchListing(session, plan, { ...job, listing }, state);
    return { spool, recorder, failure: undefined };
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return { spool, recorder, failure: toFtpullError(error) };
  }
}

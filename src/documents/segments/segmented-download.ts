/** A file over several data connections; one that is done takes over from a slow or broken one. */
import { Changed } from "../../changed.ts";
import { FtpullError, Interrupted, NetworkFailure, toFtpullError } from "../../errors.ts";
import { UntrustedTransfer } from "../../ftp/data/transfer.ts";
import type { Facts, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { confirm, overFurtherSession } from "../file/confirm.ts";
import type { DocumentFile } from "../file/document-file.ts";
import { RangeReceiver } from "../file/range-receiver.ts";
import { checkUnchanged, isSame } from "../file/resume.ts";
import type { Range } from "./ranges.ts";

const notNeeded = new FtpullError("other", "the document needs no further connection");

export class SegmentedDownload {
  readonly #file: DocumentFile;
  readonly #changed = new Changed();
  readonly #failures: FtpullError[] = [];
  readonly #locating = new Set<AbortController>();
  readonly #reported = new Set<string>();

  constructor(file: DocumentFile) {
    this.#file = file;
  }

  async receive(session: Session, name: string): Promise<void> {
    const { ranges, connections = 1 } = this.#file;
    const others = Math.min(ranges.missing.length, connections) - 1;
    const helpers = Array.from({ length: others }, () => this.#help());
    if (await this.#work(session, name)) await this.#help();
    while (ranges.isBusy) await this.#changed.wait();
    for (const coming of this.#locating) coming.abort(notNeeded);
    await Promise.all(helpers);
    if (ranges.left > 0 || this.#isLost) throw this.#failure();
    await confirm(session, name, this.#file);
  }

  /** Adds a connection if the server allows it, and another when that one is lost. */
  async #help(): Promise<void> {
    const coming = new AbortController();
    const work = async (session: Session, { name, facts }: LocatedFile): Promise<boolean> => {
      this.#locating.delete(coming);
      if (isSame(facts, this.#file.version)) return this.#work(session, name);
      throw new FtpullError("other", "the server says something else of the document there");
    };
    try {
      let isToReplace = true;
      while (isToReplace) {
        this.#locating.add(coming);
        isToReplace = await overFurtherSession(this.#file, work, coming.signal);
      }
    } catch (error) {
      if (error instanceof Interrupted || error === notNeeded) return;
      const { message } = toFtpullError(error);
      if (!this.#reported.has(message)) this.#file.tries.say(`a connection less: ${message}`);
      this.#reported.add(message);
    }
  }

  /** Fetches ranges until none is left; true if only the connection's last reply is missing. */
  async #work(session: Session, name: string): Promise<boolean> {
    while (session.usable) {
      const range = await this.#next();
      if (range === undefined) break;
      try {
        await this.#retrieve(session, name, range);
      } catch (error) {
        this.#failures.push(toFtpullError(error));
        return false;
      } finally {
        this.#file.ranges.release(range);
        this.#changed.wake();
      }
    }
    return !session.usable && this.#file.ranges.left > 0 && !this.#isLost;
  }

  async #retrieve(session: Session, name: string, range: Range): Promise<void> {
    const receiver = new RangeReceiver(this.#file, range);
    const take = (chunk: Buffer): void | Promise<void> => {
      if (this.#isLost) throw this.#failure();
      return receiver.take(chunk);
    };
    const checkFacts = (facts: Facts): void => checkUnchanged(facts, this.#file.version);
    const { error } = await session.retrieve(name, receiver.offset, take, { checkFacts });
    if (error !== undefined) this.#failures.push(error);
    const { position, end } = range;
    if (position === end) return;
    if (error !== undefined) throw error;
    const text = `expected the octets up to ${end}, received those up to ${position}`;
    throw new FtpullError("integrity", text, { transient: true });
  }

  async #next(): Promise<Range | undefined> {
    while (!this.#isLost) {
      const { ranges } = this.#file;
      const range = ranges.take();
      if (range !== undefined || !ranges.isBusy) return range;
      await this.#changed.wait();
    }
    return undefined;
  }

  get #isLost(): boolean {
    return this.#failures.some(isFatal);
  }

  #failure(): FtpullError {
    const failures = this.#failures;
    const telling = failures.find(isFatal) ?? failures.find(({ transient }) => transient);
    return telling ?? failures[0] ?? new NetworkFailure("the connections were lost");
  }
}

function isFatal(failure: FtpullError): boolean {
  if (failure instanceof UntrustedTransfer || failure instanceof Interrupted) return true;
  const showsOtherDocument = failure.kind === "integrity" && !failure.transient;
  return showsOtherDocument || failure.kind === "file";
}

/** A file over several data connections, each of which takes the next block. */
import { Changed } from "../../changed.ts";
import { FtpullError, Interrupted, NetworkFailure, toFtpullError } from "../../errors.ts";
import { UntrustedTransfer } from "../../ftp/data/transfer.ts";
import type { Facts, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { DocumentFile } from "../file/document-file.ts";
import { type Range, RangeReceiver } from "../file/range-receiver.ts";
import { checkUnchanged, isSame } from "../file/resume.ts";
import { certainPlan, planOver } from "../task.ts";
import { Blocks } from "./blocks.ts";

const notNeeded = new FtpullError("other", "the document needs no further connection");

export class SegmentedDownload {
  readonly #file: DocumentFile;
  readonly #blocks: Blocks;
  readonly #connections: number;
  readonly #changed = new Changed();
  readonly #failures: FtpullError[] = [];
  readonly #locating = new Set<AbortController>();
  readonly #reported = new Set<string>();

  constructor(file: DocumentFile, connections: number) {
    this.#file = file;
    this.#blocks = new Blocks(file.offset, file.version.size!, connections);
    this.#connections = connections;
  }

  async receive(session: Session, name: string): Promise<void> {
    const helpers = Array.from({ length: this.#connections - 1 }, () => this.#help());
    if (await this.#work(session, name)) await this.#help();
    while (this.#blocks.isBusy) await this.#changed.wait();
    for (const coming of this.#locating) coming.abort(notNeeded);
    await Promise.all(helpers);
    if (this.#blocks.isWhole && !this.#isLost) return;
    if (this.#file.isOpen) this.#file.download.destination.cut?.(this.#blocks.end);
    throw this.#failure();
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
        isToReplace = await this.#overFurtherSession(work, coming.signal);
      }
    } catch (error) {
      if (error instanceof Interrupted || error === notNeeded) return;
      const { message } = toFtpullError(error);
      if (!this.#reported.has(message)) this.#file.tries.say(`a connection less: ${message}`);
      this.#reported.add(message);
    }
  }

  async #overFurtherSession(
    work: (session: Session, file: LocatedFile) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { download, tries } = this.#file;
    const { login } = tries;
    const { document } = download;
    const session = await login.server.acquireFurther(login, certainPlan(document), signal);
    if (session === undefined) throw new NetworkFailure("the server lets no more in");
    try {
      const plan = { ...planOver(session, document), asks: undefined };
      return await work(session, await session.locate(plan));
    } finally {
      await login.server.release(session);
    }
  }

  /** Fetches blocks until none is left; true if only the connection's last reply is missing. */
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
        this.#blocks.release(range);
        this.#changed.wake();
      }
    }
    return !session.usable && !this.#blocks.isWhole && !this.#isLost;
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
      const range = this.#blocks.take();
      if (range !== undefined || !this.#blocks.isBusy) return range;
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

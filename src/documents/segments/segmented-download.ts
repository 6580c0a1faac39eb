/** A file over several data connections, each of which takes the next block. */
import { Changed } from "../../changed.ts";
import { FtpullError, Interrupted, NetworkFailure, toFtpullError } from "../../errors.ts";
import { UntrustedTransfer } from "../../ftp/data/transfer.ts";
import type { Session } from "../../ftp/session.ts";
import type { Incoming } from "../file/incoming.ts";
import { type Range, RangeReceiver } from "../file/range-receiver.ts";
import { isSame } from "../file/timestamping.ts";
import { BeginAgain } from "../retry.ts";
import type { Tries } from "../task-tries.ts";
import { certainPlan, type Document, planOver } from "../task.ts";
import { Blocks } from "./blocks.ts";

export class SegmentedDownload {
  readonly #document: Document;
  readonly #file: Incoming;
  readonly #tries: Tries;
  readonly #blocks: Blocks;
  readonly #connections: number;
  readonly #changed = new Changed();
  readonly #failures: FtpullError[] = [];
  #isOver = false;

  constructor(document: Document, file: Incoming, connections: number, tries: Tries) {
    this.#document = document;
    this.#file = file;
    this.#tries = tries;
    this.#blocks = new Blocks(file.offset, file.version.size!, connections);
    this.#connections = connections;
  }

  /** Resolves once all blocks are stored, and fit together; after a failure, what is stored without a gap stays. */
  async receive(session: Session, name: string): Promise<void> {
    for (let others = 1; others < this.#connections; others++) void this.#help();
    if (await this.#work(session, name)) await this.#help();
    while (this.#blocks.isBusy) await this.#changed.wait();
    const isWhole = this.#blocks.isWhole && !this.#isLost;
    this.#isOver = true; // A connection that is still on its way finds no block.
    this.#file.cut(this.#blocks.end);
    if (!isWhole) throw this.#failure();
  }

  /** Adds a connection if the server allows it, and another when that one is lost. */
  async #help(): Promise<void> {
    try {
      while (await this.#overFurtherSession());
    } catch (error) {
      if (this.#isOver || error instanceof Interrupted) return;
      const { shownUrl } = this.#document;
      this.#tries.observer.detail(
        `${shownUrl}: a connection less: ${toFtpullError(error).message}`,
      );
    }
  }

  async #overFurtherSession(): Promise<boolean> {
    const { login } = this.#tries;
    const session = await login.server.acquireFurther(login, certainPlan(this.#document));
    if (session === undefined) throw new NetworkFailure("the server lets no more in");
    try {
      const plan = { ...planOver(session, this.#document), asks: undefined };
      const { name, facts } = await session.locate(plan);
      if (isSame(facts, this.#file.version)) return await this.#work(session, name);
      throw new FtpullError("other", "the server says something else of the file there");
    } finally {
      await login.server.release(session);
    }
  }

  /** Fetches blocks until none is left; true if only the connection's last reply is missing. */
  async #work(session: Session, name: string): Promise<boolean> {
    while (session.usable) {
      const block = await this.#next();
      if (block === undefined) break;
      const receiver = new RangeReceiver(this.#file, block);
      try {
        await this.#retrieve(session, name, receiver, block.end);
      } catch (error) {
        this.#failures.push(toFtpullError(error));
        return false;
      } finally {
        const position = Math.max(block.position, receiver.position);
        this.#blocks.release({ position, end: block.end });
        this.#changed.wake();
      }
    }
    return !session.usable && !this.#blocks.isWhole && !this.#isLost;
  }

  async #retrieve(session: Session, name: string, receiver: RangeReceiver, end: number) {
    const take = (chunk: Buffer): void | Promise<void> => {
      if (this.#isLost) throw this.#failure();
      return receiver.take(chunk);
    };
    const { error } = await session.retrieve(name, receiver.offset, take);
    if (error !== undefined) this.#failures.push(error);
    if (receiver.position === end) return;
    if (error !== undefined) throw error;
    const text = `expected the bytes up to ${end}, received those up to ${receiver.position}`;
    throw new FtpullError("integrity", text, { transient: true });
  }

  async #next(): Promise<Range | undefined> {
    while (!this.#isLost) {
      const block = this.#blocks.take();
      if (block !== undefined || !this.#blocks.isBusy) return block;
      await this.#changed.wait();
    }
    return undefined;
  }

  get #isLost(): boolean {
    return this.#isOver || this.#failures.some(isFatal);
  }

  #failure(): FtpullError {
    const failures = this.#failures;
    const telling = failures.find(isFatal) ?? failures.find(({ transient }) => transient);
    return telling ?? failures[0] ?? new NetworkFailure("the connections were lost");
  }
}

function isFatal(failure: FtpullError): boolean {
  const showsOtherFile = failure instanceof BeginAgain || failure instanceof UntrustedTransfer;
  return showsOtherFile || failure instanceof Interrupted || failure.kind === "file";
}

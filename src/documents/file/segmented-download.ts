/** A file over several data connections, each of which takes the next block. */
import { FtpullError, hasReason, networkError, toFtpullError } from "../../errors.ts";
import type { Session } from "../../ftp/session.ts";
import type { FileTry } from "./file-try.ts";
import { RangeReceiver } from "./range-receiver.ts";
import { isSame } from "../facts.ts";
import { beginAgain } from "../retry.ts";
import type { Tries } from "../task-tries.ts";
import { certainPlan, type Document, planOver } from "../task.ts";
import { Blocks } from "./blocks.ts";

export class SegmentedDownload {
  readonly #document: Document;
  readonly #try: FileTry;
  readonly #tries: Tries;
  readonly #blocks: Blocks;
  /** The work of each connection that fetches blocks; others may join. */
  readonly #works: Promise<void>[] = [];
  readonly #failures: FtpullError[] = [];
  #isOver = false;

  constructor(document: Document, attempt: FileTry, tries: Tries) {
    const { offset, facts, connections } = attempt;
    this.#document = document;
    this.#try = attempt;
    this.#tries = tries;
    this.#blocks = new Blocks(offset, facts.size!, connections);
  }

  /** Resolves once all blocks are stored, and fit together; the first loss ends the try, and keeps what has no gap. */
  async receive(session: Session, name: string): Promise<void> {
    for (let others = 1; others < this.#try.connections; others++) void this.#help();
    void this.#begin(session, name);
    for (const work of this.#works) await work;
    this.#isOver = true; // A connection that is still on its way finds no block.
    const { end } = this.#blocks;
    this.#try.cut(end);
    const fatal = this.#failures.find(isFatal);
    if (fatal !== undefined || end !== this.#try.facts.size)
      throw fatal ?? this.#failures[0] ?? networkError("the connection was lost");
  }

  /** Adds a connection, if the server allows it. */
  async #help(): Promise<void> {
    const { login, observer } = this.#tries;
    const { server } = login;
    try {
      const session = await server.acquireFurther(login, certainPlan(this.#document));
      if (session === undefined) throw networkError("the server lets no more in");
      await this.#workOver(session).finally(() => server.release(session));
    } catch (error) {
      if (this.#isOver || hasReason(error, "interrupted")) return;
      const { message } = toFtpullError(error);
      observer.detail(`${this.#document.shownUrl}: a connection less: ${message}`);
    }
  }

  async #workOver(session: Session): Promise<void> {
    const plan = { ...planOver(session, this.#document), asks: undefined };
    const { name, facts } = await session.locate(plan);
    if (!isSame(facts, this.#try.facts))
      throw new FtpullError("other", "the server says something else of the file there");
    await this.#begin(session, name);
  }

  #begin(session: Session, name: string): Promise<void> {
    const work = this.#work(session, name);
    this.#works.push(work);
    return work;
  }

  /** Fetches blocks until none is left, or a connection is lost: behind a whole block that is no failure. */
  async #work(session: Session, name: string): Promise<void> {
    while (!this.#isOver && this.#failures.length === 0 && session.usable) {
      const block = this.#blocks.take();
      if (block === undefined) return;
      // The last block ends with the data: more than SIZE said would show there.
      const end = block.end === this.#try.facts.size ? Infinity : block.end;
      const receiver = new RangeReceiver(this.#try, { position: block.position, end });
      try {
        await this.#retrieve(session, name, receiver, block.end);
      } catch (error) {
        this.#failures.push(toFtpullError(error));
      } finally {
        const position = Math.max(block.position, receiver.position);
        this.#blocks.release({ position, end: block.end });
      }
    }
  }

  async #retrieve(session: Session, name: string, receiver: RangeReceiver, end: number) {
    const take = (chunk: Buffer): void | Promise<void> => {
      const [failure] = this.#failures;
      if (failure !== undefined) throw failure;
      if (receiver.position + chunk.length > this.#try.facts.size!)
        throw beginAgain("more came than SIZE said");
      return receiver.take(chunk);
    };
    const { doubt } = await session.retrieve(name, receiver.offset, take);
    if (receiver.position === end) return;
    if (doubt !== undefined) throw doubt;
    const text = `expected the bytes up to ${end}, received those up to ${receiver.position}`;
    throw new FtpullError("integrity", text, { transient: true });
  }
}

/** True for a failure that counts though all bytes are here. */
function isFatal(failure: FtpullError): boolean {
  if (failure.kind === "file") return true;
  return hasReason(failure, "begin again", "untrusted data", "interrupted");
}

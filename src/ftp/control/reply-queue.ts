/** The replies of one control connection between their arrival and whoever waits for them. */
import type { FtpullError } from "../../errors.ts";
import type { Reply } from "./reply.ts";

/** Replies that may wait to be read: those to the longest batch and some more. */
const mostWaiting = 1000;

/** Octets that they may have altogether. */
const mostOctets = 4 * 1024 * 1024;

interface Waiter {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** Hands replies on in order, to one at a time. */
export class ReplyQueue {
  readonly #replies: Reply[] = [];
  #octets = 0;
  #waiter: Waiter | undefined;
  #failure: FtpullError | undefined;
  #interruption: Error | undefined;

  /** Why no further reply will come; undefined while one may. */
  get failure(): FtpullError | undefined {
    return this.#failure;
  }

  /** The next reply; `onSilence` is called when none has come within `timeoutMs` (0: never). */
  async next(timeoutMs: number, onSilence: () => void): Promise<Reply> {
    if (this.#interruption !== undefined) throw this.#interruption;
    const waiting = this.#replies.shift();
    if (waiting !== undefined) {
      this.#octets -= octetsOf(waiting);
      return waiting;
    }
    if (this.#failure !== undefined) throw this.#failure;
    const timer = timeoutMs > 0 ? setTimeout(onSilence, timeoutMs) : undefined;
    try {
      return await new Promise<Reply>((resolve, reject) => (this.#waiter = { resolve, reject }));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Takes a reply in; false when too many wait already. */
  deliver(reply: Reply): boolean {
    const waiter = this.#takeWaiter();
    if (waiter !== undefined) waiter.resolve(reply);
    else {
      this.#octets += octetsOf(reply);
      if (this.#replies.push(reply) > mostWaiting || this.#octets > mostOctets) return false;
    }
    return true;
  }

  /** Whoever waits, and whoever comes when all replies are read, gets `error`; the first one counts. */
  fail(error: FtpullError): void {
    this.#failure ??= error;
    this.#takeWaiter()?.reject(this.#failure);
  }

  /** Whoever waits gets `reason`, and whoever comes before `goOn`. */
  interrupt(reason: Error): void {
    this.#interruption = reason;
    this.#takeWaiter()?.reject(reason);
  }

  /** Ends the interruption. */
  goOn(): void {
    this.#interruption = undefined;
  }

  /** Forgets the replies that nobody has read. */
  clear(): void {
    this.#replies.length = 0;
    this.#octets = 0;
  }

  #takeWaiter(): Waiter | undefined {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    return waiter;
  }
}

function octetsOf({ lines }: Reply): number {
  return lines.reduce((octets, line) => octets + line.length, 0);
}

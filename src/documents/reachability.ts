/**
 * Which servers a run has reached, and which it couldn't: a hundred documents of a server that is
 * down don't wait for it a hundred times.
 */
import type { Unreachable } from "../errors.ts";

/** So many documents are tried before all others of their server fail without a try. */
const mostTried = 2;

/** A server is its host and port. */
export class Reachability {
  readonly #reached = new Set<string>();
  /** Servers that were given up, for how many documents, and in which words last. */
  readonly #givenUp = new Map<string, { documents: number; error: Unreachable }>();

  /** The server took a connection, whatever came of it. */
  reached(server: string): void {
    this.#reached.add(server);
    this.#givenUp.delete(server);
  }

  /** A document of the server failed, since no connection could be made. */
  giveUp(server: string, error: Unreachable): void {
    const { documents = 0 } = this.#givenUp.get(server) ?? {};
    this.#givenUp.set(server, { documents: documents + 1, error });
  }

  /** What every further document of the server fails of; undefined while a try is worth it. */
  verdict(server: string): Unreachable | undefined {
    const { documents = 0, error } = this.#givenUp.get(server) ?? {};
    return documents >= mostTried ? error : undefined;
  }

  /**
   * Whether the document that met `error` is tried again: not where others were given up, nor
   * where nothing has ever listened there.
   */
  isWorthAnotherTry(server: string, { isRefusal }: Unreachable): boolean {
    return !this.#givenUp.has(server) && (!isRefusal || this.#reached.has(server));
  }
}

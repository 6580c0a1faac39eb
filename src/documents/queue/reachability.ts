/** Unreachable servers: a hundred documents don't wait for one server a hundred times. */
import type { Unreachable } from "../../errors.ts";

/** After so many failed documents, a server's others fail without a try. */
const mostTried = 2;

/** Which servers were reached and which weren't; a server is its host and port. */
export class Reachability {
  readonly #reached = new Set<string>();
  /** Servers without a connection: how many documents failed, and the last error. */
  readonly #givenUp = new Map<string, { documents: number; error: Unreachable }>();

  reached(server: string): void {
    this.#reached.add(server);
    this.#givenUp.delete(server);
  }

  giveUp(server: string, error: Unreachable): void {
    const { documents = 0 } = this.#givenUp.get(server) ?? {};
    this.#givenUp.set(server, { documents: documents + 1, error });
  }

  /** Why every further document of the server fails; undefined while a try is worth it. */
  verdict(server: string): Unreachable | undefined {
    const { documents = 0, error } = this.#givenUp.get(server) ?? {};
    return documents >= mostTried ? error : undefined;
  }

  /** False where a document was given up, or where nothing has ever listened. */
  isWorthAnotherTry(server: string, { isRefusal }: Unreachable): boolean {
    return !this.#givenUp.has(server) && (!isRefusal || this.#reached.has(server));
  }
}

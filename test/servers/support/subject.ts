/** A server of the table: how its program is got and started, who logs in, and what it can't do. */
import type { Login, Program } from "../../real/support/servers.ts";
import type { Cell } from "./cells.ts";

export interface Subject extends Omit<Program, "bundle"> {
  readonly name: string;
  /** Gets the program; resolves to its folder. */
  readonly prepare: () => Promise<string>;
  /** The only user that it lets in, or can be told of; default: anonymous. */
  readonly login?: (upstream: number) => Login;
  readonly isProxy?: boolean;
  readonly faults: Partial<Record<Cell, Fault>>;
}

export interface Fault {
  /** For the printed table. */
  readonly why: string;
  /** The exit status that the fault ends with; default: the server is not even asked. */
  readonly status?: number;
}

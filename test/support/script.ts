/** A test's departures from a good server: rules that find a command, and actions that answer it. */

import type { Session } from "./session.ts";

/**
 * The answer to a command: a string is a reply (UTF-8, CRLF is added), a Buffer goes out
 * as it is, a list is done in order, an empty list is silence. `actions.ts` has the steps.
 */
export type Action = string | Buffer | Step | readonly Action[];

export type Step = (exchange: Exchange) => void | Promise<void>;

export interface Exchange {
  verb: string;
  /** Everything after the first space: octets. */
  argument: string;
  session: Session;
  proceed(): Promise<void>;
}

export async function perform(action: Action, exchange: Exchange): Promise<void> {
  if (typeof action === "string") {
    await exchange.session.control.send(Buffer.from(`${action}\r\n`));
  } else if (Buffer.isBuffer(action)) {
    await exchange.session.control.send(action);
  } else if (typeof action === "function") {
    await action(exchange);
  } else {
    for (const step of action) await perform(step, exchange);
  }
}

interface Rule {
  verb: string;
  argument: string | undefined;
  occurrence: number | undefined;
  action: Action;
  seen: number;
}

export class Script {
  readonly #rules: Rule[] = [];

  on(pattern: string, action: Action): void {
    const match = /^([a-z][a-z0-9]*)(?:#(\d+))?(?: (.*))?$/is.exec(pattern);
    if (!match) throw new Error(`not a command pattern: "${pattern}"`);
    const [, verb = "", occurrence, argument] = match;
    this.#rules.push({
      verb: verb.toUpperCase(),
      argument,
      occurrence: occurrence === undefined ? undefined : Number(occurrence),
      action,
      seen: 0,
    });
  }

  actionFor(verb: string, argument: string): Action | undefined {
    const fitting = this.#rules.filter((rule) => concerns(rule, verb, argument));
    for (const rule of fitting) rule.seen += 1;
    return fitting.findLast(
      (rule) => rule.occurrence === undefined || rule.occurrence === rule.seen,
    )?.action;
  }
}

function concerns(rule: Rule, verb: string, argument: string): boolean {
  return rule.verb === verb && (rule.argument === undefined || rule.argument === argument);
}

/** The steps of a script, beside plain replies. */

import { closedPort } from "./ports.ts";
import { openDocument } from "./document.ts";
import type { Step } from "./script.ts";
import { runTransfer, type TransferScript } from "./transfer.ts";

/** Does what a good server does. */
export const proceed: Step = (exchange) => exchange.proceed();

/** Answers neither this nor any later command. */
export const stall: Step = () => new Promise<void>(() => {});

/** Closes the control connection (FIN). */
export const close: Step = ({ session }) => session.control.end();

/** Resets the control connection (RST). */
export const reset: Step = ({ session }) => session.control.reset();

/** Waits before the next action of a list: `[until(gate.opened), "226 done"]`. */
export function until(promise: Promise<unknown>): Step {
  return async () => void (await promise);
}

/** A promise, `opened`, that the test resolves by `open`. */
export class Gate {
  readonly opened: Promise<void>;
  #open = () => {};

  constructor() {
    this.opened = new Promise((resolve) => (this.#open = resolve));
  }

  open(): void {
    this.#open();
  }
}

/** Transfers the document of RETR, LIST, NLST or MLSD with these departures. */
export function transfer(script: TransferScript): Step {
  return async (exchange) => {
    const document = script.content === undefined ? openDocument(exchange) : { octets: [] };
    if ("refusal" in document) return await exchange.session.reply(document.refusal);
    await runTransfer(exchange, document.octets, script);
  };
}

/** Transfers these octets, from the offset of REST on. */
export function transferFrom(octets: Buffer, script: TransferScript = {}): Step {
  return (exchange) =>
    transfer({ content: octets.subarray(exchange.session.offset), ...script })(exchange);
}

/** Listens for a data connection and answers with the reply that `reply` makes of the port. */
export function passive(reply: (port: number) => string): Step {
  return async ({ session }) => session.reply(reply(await session.data.listen()));
}

/** Answers EPSV or PASV with a port on which no process listens. */
export const refuseData: Step = async ({ verb, session }) => {
  const port = await closedPort(session.control.tcp.localAddress ?? "127.0.0.1");
  await session.reply(verb === "EPSV" ? reply229(port) : reply227(port));
};

/** The reply to EPSV (RFC 2428 §3). */
export function reply229(port: number | string): string {
  return `229 Entering extended passive mode (|||${port}|)`;
}

/** The reply to PASV; `host` may be a false one. */
export function reply227(port: number, host = "127.0.0.1"): string {
  const octets = [...host.split("."), port >> 8, port & 0xff];
  return `227 Entering passive mode (${octets.join(",")})`;
}

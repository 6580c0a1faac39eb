/** The steps of a script, besides plain replies. */

import { closedPort } from "./ports.ts";
import { openDocument } from "./document.ts";
import type { Step } from "./script.ts";
import { runTransfer, type TransferScript } from "./transfer.ts";

export const proceed: Step = (exchange) => exchange.proceed();

/** Leaves this command and all later ones without a reply. */
export const stall: Step = () => new Promise<void>(() => {});

export const close: Step = ({ session }) => session.control.end();

export const reset: Step = ({ session }) => session.control.reset();

/** Waits before the next action of a list: `[until(gate.opened), "226 done"]`. */
export function until(promise: Promise<unknown>): Step {
  return async () => void (await promise);
}

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

export function transfer(departures: TransferScript): Step {
  return async (exchange) => {
    const isReplaced = departures.content !== undefined;
    const document = isReplaced ? { octets: [] } : openDocument(exchange);
    if ("refusal" in document) return await exchange.session.reply(document.refusal);
    await runTransfer(exchange, document.octets, departures);
  };
}

export function transferFrom(octets: Buffer, departures: TransferScript = {}): Step {
  return (exchange) => {
    const content = octets.subarray(exchange.session.offset);
    exchange.session.offset = 0; // It is for one transfer (RFC 3659 §5.1).
    return transfer({ content, ...departures })(exchange);
  };
}

export function passive(reply: (port: number) => string): Step {
  return async ({ session }) => session.reply(reply(await session.data.listen()));
}

export const refuseData: Step = async ({ verb, session }) => {
  const port = await closedPort(session.control.tcp.localAddress ?? "127.0.0.1");
  await session.reply(verb === "EPSV" ? reply229(port) : reply227(port));
};

export function reply229(port: number | string): string {
  return `229 Entering extended passive mode (|||${port}|)`;
}

export function reply227(port: number, host = "127.0.0.1"): string {
  const octets = [...host.split("."), port >> 8, port & 0xff];
  return `227 Entering passive mode (${octets.join(",")})`;
}

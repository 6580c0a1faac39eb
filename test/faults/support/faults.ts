/** The faults of the matrix as scripts of the server. */
import { setTimeout as delay } from "node:timers/promises";
import { close, refuseData, reply229, reset, stall, transfer } from "../../support/actions.ts";
import { deafPort } from "../../support/deaf-port.ts";
import type { Action, Step } from "../../support/script.ts";
import type { TransferScript } from "../../support/transfer.ts";

/** The document of the matrix: no line ends, so that it is the same in every type. */
export const content = "0123456789".repeat(10_000);

const replies: Record<string, Action> = {
  reset,
  FIN: close,
  stall,
  garbage: Buffer.from("\x1b[2J\0\xff is no reply\r\n", "latin1"),
  "421": ["421 Service not available", close],
  "5yz": "500 No",
  truncated: [Buffer.from("22"), close],
};

/** The refusal that belongs to a step, where 500 would mean something else. */
const refusals: Record<string, string> = {
  USER: "530 No such user",
  PASS: "530 Login incorrect",
  ACCT: "530 Account unknown",
  RETR: "550 No such file",
};

const inAMoment: Step = () => delay(100);

/** Ends the data behind the document's first half, wherever a transfer begins. */
function half(script: TransferScript): Step {
  return (exchange) =>
    transfer({ first: Math.max(0, 50_000 - exchange.session.offset), ...script })(exchange);
}

/** Goes on beyond the document's end, in a read of its own. */
const tooMuch: Step = (exchange) =>
  transfer({
    pause: { after: content.length - exchange.session.offset, until: "read" },
    extra: "more",
  })(exchange);

const data: Record<string, Action> = {
  reset: half({ end: "reset", completion: [] }),
  FIN: half({}),
  stall: half({ end: "stall" }),
  garbage: tooMuch,
  "421": half({ completion: ["421 Service not available", close] }),
  "5yz": half({ completion: "550 Cannot read the file" }),
  truncated: half({ end: "reset", completion: [Buffer.from("22"), close] }),
};

const dataConnect: Record<string, Record<string, Action>> = {
  refuse: {
    EPSV: refuseData,
    RETR: [inAMoment, "425 Cannot open the data connection"],
  },
  reset: { RETR: transfer({ first: 0, end: "reset", completion: [] }) },
  FIN: { RETR: transfer({ first: 0 }) },
  "421": { RETR: transfer({ first: 0, completion: ["421 Service not available", close] }) },
  "5yz": { RETR: transfer({ first: 0, completion: "522 No data connections here" }) },
};

/** A port that never answers is made before the server is asked: on a busy machine that takes time. */
const deafData = async (): Promise<Record<string, Action>> => ({
  EPSV: reply229(await deafPort()),
  RETR: ["150 Opening data connection", stall],
});

/** The script for a fault at a step of each session. */
export async function scriptFor(step: string, fault: string): Promise<Record<string, Action>> {
  if (step === "data connect" && fault === "stall") return deafData();
  if (step === "data connect") return dataConnect[fault] ?? {};
  if (step === "data") return { RETR: data[fault]! };
  const reply = fault === "5yz" ? (refusals[step] ?? replies["5yz"]!) : replies[fault]!;
  if (step === "226") return { RETR: transfer({ completion: reply }) };
  if (step === "PASV") return { EPSV: "500 No", PASV: reply };
  return { [step]: reply };
}

export function onlyOnce(script: Record<string, Action>): Record<string, Action> {
  return Object.fromEntries(Object.entries(script).map(([verb, action]) => [`${verb}#1`, action]));
}

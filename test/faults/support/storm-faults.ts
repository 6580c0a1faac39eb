/** What befalls the connections of the storm: each fault costs the client one try at most. */
import { setTimeout as delay } from "node:timers/promises";
import { close, reset, stall } from "../../support/actions.ts";
import type { Action } from "../../support/script.ts";
import type { TransferScript } from "../../support/transfer.ts";
import type { Random } from "./random.ts";

interface Strike {
  readonly random: Random;
  readonly first: number;
}

/** A fault of a transfer: the way that the data takes, or a reply in its place. */
export type TransferFault = (strike: Strike) => TransferScript | string;

const broken = ["426 Connection closed; transfer aborted", "451 Local error in processing"];

const dying = [
  "500 OOPS: child died",
  "550 Input/output error",
  "551 Page type unknown",
  "552 Exceeded storage allocation",
];

export const transferFaults: Record<string, TransferFault> = {
  reset: ({ random, first }) => ({ first, end: "reset", completion: random.pick([...broken, []]) }),
  aborted: ({ random, first }) => ({ first, completion: random.pick(broken) }),
  stall: ({ first }) => ({ first, end: "stall" }),
  closing: ({ first }) => ({ first, completion: ["421 Service not available", close] }),
  "control lost": ({ random, first }) => ({
    first,
    end: "reset",
    completion: random.pick([close, reset]),
  }),
  refused: ({ random }) => random.pick(["425 Cannot open the data connection", "450 Busy"]),
  unconfirmed: () => ({ completion: [] }),
};

/** Faults that leave the client nothing but SIZE to tell a part from the whole. */
export const sizedFaults = {
  cut: ({ random, first }) => ({ first, end: random.pick(["fin", "cut"]), completion: "226 Done" }),
  // Where data and RST are read at once, libuv says that it is the end.
  "early and broken": ({ random, first }) => ({
    first,
    early: true,
    end: random.pick(["reset", "fin"]),
  }),
  more: ({ random }) => ({ extra: random.octets(1 + random.below(2000)) }),
} satisfies Record<string, TransferFault>;

export const { more: _more, ...emptyFaults } = sizedFaults;

/** Replies that come early or late, which is no fault. */
export const timings: readonly ((random: Random) => TransferScript)[] = [
  () => ({ early: true }),
  () => ({ preliminary: [], completion: ["150 Opening data connection", "226 Transfer complete"] }),
  (random) => ({ completion: [pause(random), "226 Transfer complete"] }),
  (random) => ({ preliminary: [pause(random), "150 Opening data connection"] }),
];

function pause(random: Random): Action {
  return () => delay(random.below(300));
}

/** 5yz in mid-transfer, which is final only before there was any data. */
export const dyingFault: TransferFault = ({ random, first }) => {
  const words = random.pick(dying);
  return { first, completion: random.chance(0.5) ? words : [words, close] };
};

export const breaks = {
  close,
  reset,
  "421": ["421 Timeout", close],
  stall,
} satisfies Record<string, Action>;

/** Replies to some commands that have the client try again. */
export const busy: Record<string, readonly string[]> = {
  CWD: ["450 Busy", "451 Local error in processing"],
  EPSV: ["425 No ports left", "451 Local error in processing"],
  REST: ["450 Busy", "451 Local error in processing"],
  MDTM: ["450 Busy", "451 Local error in processing"],
  SIZE: ["450 Busy", "451 Local error in processing"],
};

/** Refusals of what a client can do without. */
export const refusals: Record<string, readonly string[]> = {
  FEAT: ["500 Unknown command", "502 Not implemented"],
  MDTM: ["500 Unknown command", "550 Not available"],
  SIZE: ["500 Unknown command", "550 Not available"],
  REST: ["500 Unknown command", "502 Not implemented", "501 Bad offset"],
  EPSV: ["500 Unknown command", "502 Not implemented", "522 Network protocol not supported"],
};

export const dismissals: Record<string, Action> = {
  reset,
  close,
  "500": ["500 OOPS: could not fork", close],
  "421": ["421 Too many users", close],
  silence: stall,
};

export const fullHouse = "530 Sorry, the maximum number of clients (2) is connected already";

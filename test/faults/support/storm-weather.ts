/** The scripted server in a storm: it answers as a good one until the dice say otherwise. */
import { setTimeout as delay } from "node:timers/promises";
import { close, refuseData, reply229, reset, transfer } from "../../support/actions.ts";
import type { ControlConnection } from "../../support/control.ts";
import { type Action, type Exchange, perform } from "../../support/script.ts";
import type { ScriptedServer } from "../../support/scripted-server.ts";
import type { Random } from "./random.ts";
import * as faults from "./storm-faults.ts";

export interface Weather {
  /** Number of faults; each costs the client one try at most. */
  readonly faults: number;
  /** Chances of a fault of a transfer, a listing and another command. */
  readonly transfers: number;
  readonly listings?: number;
  readonly commands: number;
  readonly stalls: boolean;
  /** SIZE and MDTM are never refused. */
  readonly tellsFacts: boolean;
  /** Transfers that end by 5yz in their middle, first of all. */
  readonly deaths?: number;
  /** Commands that the server never knows. */
  readonly unknown?: readonly string[];
  /** No port of EPSV can be reached. */
  readonly isWalled?: boolean;
  /** A port that doesn't answer. */
  readonly deaf?: number;
  readonly crowd?: Crowd;
}

/** The server lets so many in; without `greeting` others are refused at their password. */
export interface Crowd {
  readonly limit: number;
  /** For how long a transfer stands still at most, so that those inside stay for a while. */
  readonly paceMs: number;
  readonly greeting?: Action;
}

export const calm: Weather = {
  faults: 0,
  transfers: 0,
  commands: 0,
  stalls: false,
  tellsFacts: true,
};

const commands = [
  ..."HOST AUTH USER PASS PBSZ PROT FEAT OPTS PWD REIN QUIT".split(" "),
  ..."CWD TYPE SIZE MDTM EPSV PASV EPRT REST".split(" "),
];

/** Before there was any data 5yz is final. */
const enough = 32_768;

export class Storm {
  readonly #weather: Weather;
  readonly #random: Random;
  readonly #admitted = new Set<ControlConnection>();
  readonly #unwelcome = new Set<ControlConnection>();
  #faults: number;
  #deaths: number;
  isCalm = false;

  /** `answer` answers a command that isn't struck. */
  constructor(
    server: ScriptedServer,
    weather: Weather,
    random: Random,
    answer = (exchange: Exchange): Promise<void> => exchange.proceed(),
  ) {
    this.#weather = weather;
    this.#random = random;
    this.#faults = weather.faults;
    this.#deaths = weather.deaths ?? 0;
    const on = (verb: string, strike: (exchange: Exchange) => Promise<void> | undefined): void =>
      server.on(
        verb,
        (exchange) => (this.isCalm ? undefined : strike(exchange)) ?? answer(exchange),
      );
    on("greeting", (exchange) => this.#greet(exchange));
    for (const verb of commands) on(verb, (exchange) => this.#command(exchange));
    for (const verb of ["MLSD", "LIST"])
      on(verb, (exchange) =>
        this.strikes(weather.listings ?? 0)
          ? this.#fault(exchange, faults.transferFaults, this.#random.below(300))
          : undefined,
      );
  }

  rage(count: number): void {
    this.#faults = count;
  }

  strikes(chance: number): boolean {
    if (this.#faults === 0 || !this.#random.chance(chance)) return false;
    this.#faults -= 1;
    return true;
  }

  /** Sends a file of which so many octets are `left`; `isSized`: SIZE tells a part of it from the whole. */
  retrieve(exchange: Exchange, left: number, isSized: boolean): Promise<void> {
    const random = this.#random;
    if (this.isCalm) return exchange.proceed();
    const mayDie = left > 2 * enough;
    const isDeath = mayDie && this.#deaths-- > 0;
    const isStruck = isDeath || this.strikes(this.#weather.transfers);
    if (isDeath || (isStruck && mayDie && random.chance(0.2)))
      return this.#fault(exchange, { dying: faults.dyingFault }, enough + random.below(left - enough)); // prettier-ignore
    const sized = left === 0 ? faults.emptyFaults : faults.sizedFaults;
    const choices = { ...faults.transferFaults, ...(isSized ? sized : {}) };
    if (isStruck) return this.#fault(exchange, choices, random.below(left));
    const { crowd } = this.#weather;
    const timing = random.chance(0.2) ? random.pick(faults.timings)(random) : {};
    if (crowd === undefined && random.chance(0.8)) return perform(transfer(timing), exchange);
    const until = delay(random.below(crowd?.paceMs ?? 400));
    const after = random.below(Math.min(left, 65_536) + 1);
    return perform(transfer({ ...timing, pause: { after, until } }), exchange);
  }

  #fault(
    exchange: Exchange,
    choices: Readonly<Record<string, faults.TransferFault>>,
    first: number,
  ): Promise<void> {
    const silent = this.#weather.stalls ? [] : ["stall", "unconfirmed"];
    const possible = Object.entries(choices).filter(([name]) => !silent.includes(name));
    const fault = this.#random.pick(possible)[1]({ random: this.#random, first });
    if (typeof fault !== "string") return perform(transfer(fault), exchange);
    exchange.session.offset = 0;
    return perform([fault, ...(first % 2 ? [reset] : [])], exchange);
  }

  async #greet(exchange: Exchange): Promise<void> {
    const { control } = exchange.session;
    const { crowd, commands: chance } = this.#weather;
    if (crowd === undefined || !(await this.#isFull(crowd.limit))) {
      this.#admitted.add(control);
      return this.strikes(chance) ? this.#breakOff(exchange) : exchange.proceed();
    }
    if (crowd.greeting !== undefined) return perform(crowd.greeting, exchange);
    this.#unwelcome.add(control);
    return exchange.proceed();
  }

  async #isFull(limit: number): Promise<boolean> {
    const count = () => [...this.#admitted].filter(({ socket }) => socket.writable).length;
    if (count() >= limit) await delay(50);
    return count() >= limit;
  }

  #command(exchange: Exchange): Promise<void> | undefined {
    const { verb, session } = exchange;
    const { unknown = [], isWalled } = this.#weather;
    const random = this.#random;
    if (verb === "PASS" && this.#unwelcome.has(session.control))
      return perform([faults.fullHouse, close], exchange);
    if (unknown.includes(verb)) return session.reply(random.pick(faults.refusals[verb]!));
    if (isWalled && verb === "EPSV") return perform(refuseData, exchange);
    if (!this.strikes(this.#weather.commands)) return undefined;
    return random.chance(0.5) ? this.#refuse(exchange) : this.#breakOff(exchange);
  }

  #breakOff(exchange: Exchange): Promise<void> {
    const { stall, ...others } = faults.breaks;
    const breaks = this.#weather.stalls ? [stall, ...Object.values(others)] : Object.values(others);
    return perform(this.#random.pick(breaks), exchange);
  }

  /** Refuses what a client can do without, or is busy; breaks off where neither makes sense. */
  #refuse(exchange: Exchange): Promise<void> {
    const { verb } = exchange;
    const { tellsFacts, listings, deaf } = this.#weather;
    const random = this.#random;
    const isKept = (verb === "SIZE" || verb === "MDTM") && tellsFacts;
    const refusals = isKept ? [] : (faults.refusals[verb] ?? []);
    // Where a listing has told the size, it may fail for now.
    const busy = isKept && listings === undefined ? [] : (faults.busy[verb] ?? []);
    const replies = [...refusals, ...busy];
    const ports = [refuseData, ...(deaf === undefined ? [] : [reply229(deaf)])];
    if (verb === "EPSV" && random.chance(0.5)) return perform(random.pick(ports), exchange);
    return perform(replies.length > 0 ? random.pick(replies) : reset, exchange);
  }
}

/**
 * The scripted server in a storm: it answers as a good one until the dice, which fall by the seed
 * and by what is asked of which connection, say otherwise. The same seed strikes the same places,
 * as far as the connections come in the same order.
 */
import { setTimeout as delay } from "node:timers/promises";
import { close, Gate, refuseData, reply229, reset } from "../../support/actions.ts";
import type { ControlConnection } from "../../support/control.ts";
import { openDocument } from "../../support/document.ts";
import { type Exchange, perform } from "../../support/script.ts";
import { ScriptedServer } from "../../support/scripted-server.ts";
import { runTransfer, type TransferScript } from "../../support/transfer.ts";
import { Random } from "./random.ts";
import * as faults from "./storm-faults.ts";
import type { Scenario, Wanted } from "./storm-scenario.ts";
import type { Weather } from "./storm-themes.ts";

const commands = [
  ..."HOST AUTH USER PASS PBSZ PROT FEAT OPTS PWD REIN QUIT".split(" "),
  ..."CWD TYPE SIZE MDTM EPSV PASV EPRT REST".split(" "),
];

const longestWaitMs = 1000;

export class StormServer {
  readonly server: ScriptedServer;
  readonly #seed: number;
  readonly #weather: Weather;
  readonly #documents: ReadonlyMap<string, Wanted>;
  readonly #replaced = new Map<Wanted, Gate>();
  readonly #accompanied = new Map<Wanted, Gate>();
  /** A port that doesn't answer. */
  readonly #deaf: number;
  readonly #counts = new Map<string, number>();
  readonly #admitted = new Set<ControlConnection>();
  readonly #unwelcome = new Set<ControlConnection>();
  #faults: number;
  #deaths: number;
  #typeRefusals: number;
  #isCalm = false;

  private constructor(server: ScriptedServer, scenario: Scenario, seed: number, deaf: number) {
    const { weather, wanted } = scenario;
    this.server = server;
    this.#seed = seed;
    this.#weather = weather;
    this.#documents = new Map(wanted.map((each) => [each.document.name, each]));
    for (const each of wanted) {
      if (!each.replacement) continue;
      this.#replaced.set(each, new Gate());
      if (!each.replacement.isEarly) this.#accompanied.set(each, new Gate());
    }
    this.#deaf = deaf;
    this.#faults = weather.faults;
    this.#deaths = weather.deaths ?? 0;
    this.#typeRefusals = weather.type?.times ?? 0;
    this.#on("greeting", (exchange) => this.#greet(exchange));
    this.#on("RETR", (exchange) => this.#retrieve(exchange));
    for (const verb of commands) this.#on(verb, (exchange) => this.#command(exchange));
  }

  static async start(scenario: Scenario, seed: number, deaf: number): Promise<StormServer> {
    return new StormServer(await ScriptedServer.start(scenario.server), scenario, seed, deaf);
  }

  calmDown(): void {
    this.#isCalm = true;
  }

  #on(verb: string, strike: (exchange: Exchange) => Promise<void>): void {
    this.server.on(verb, (exchange) => (this.#isCalm ? exchange.proceed() : strike(exchange)));
  }

  async #greet(exchange: Exchange): Promise<void> {
    const { control } = exchange.session;
    const { crowd, commands: chance } = this.#weather;
    if (crowd === undefined || !(await this.#isFull(crowd.limit))) {
      this.#admitted.add(control);
      const { random } = this.#dice(exchange);
      return this.#strikes(random, chance) ? this.#breakOff(exchange, random) : exchange.proceed();
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

  async #command(exchange: Exchange): Promise<void> {
    const { verb, argument, session } = exchange;
    const { unknown = [], isWalled, type } = this.#weather;
    const { random } = this.#dice(exchange);
    if (verb === "PASS" && this.#unwelcome.has(session.control))
      return perform([faults.fullHouse, close], exchange);
    if (type && verb === "TYPE" && argument === "I" && this.#typeRefusals-- > 0)
      return session.reply(type.reply);
    if (unknown.includes(verb)) return session.reply(random.pick(faults.refusals[verb]!));
    if (isWalled && verb === "EPSV") return perform(refuseData, exchange);
    if (random.chance(0.03)) await delay(random.below(300)); // a reply that is late
    if (!this.#strikes(random, this.#weather.commands)) return exchange.proceed();
    return random.chance(0.5) ? this.#refuse(exchange, random) : this.#breakOff(exchange, random);
  }

  #breakOff(exchange: Exchange, random: Random): Promise<void> {
    const { stall, ...others } = faults.breaks;
    const breaks = this.#weather.stalls ? [stall, ...Object.values(others)] : Object.values(others);
    return perform(random.pick(breaks), exchange);
  }

  /** Refuses what a client can do without, or is busy; breaks off where neither makes sense. */
  #refuse(exchange: Exchange, random: Random): Promise<void> {
    const { verb } = exchange;
    const isKept = (verb === "SIZE" || verb === "MDTM") && this.#weather.tellsFacts;
    const refusals = isKept ? [] : [...(faults.refusals[verb] ?? []), ...(faults.busy[verb] ?? [])];
    const ports = [refuseData, refuseData, reply229(this.#deaf)];
    if (verb === "EPSV" && random.chance(0.5)) return perform(random.pick(ports), exchange);
    return perform(refusals.length > 0 ? random.pick(refusals) : reset, exchange);
  }

  async #retrieve(exchange: Exchange): Promise<void> {
    const { session, argument } = exchange;
    const wanted = this.#documents.get(argument.split("/").at(-1) ?? "");
    const left = (wanted?.document.size ?? 0) - session.offset;
    if (wanted === undefined || session.type !== "I" || left < 0) return exchange.proceed();
    const { random, count } = this.#dice(exchange, wanted.document.name);
    const hit = wanted.replacement?.transfer === count ? wanted.replacement : undefined;
    const fault = hit ? undefined : this.#transferFault(random, left);
    if (typeof fault === "string") {
      session.offset = 0;
      return session.reply(fault);
    }
    if (hit?.isEarly) this.#replace(wanted, exchange);
    const document = openDocument(exchange);
    if ("refusal" in document) return session.reply(document.refusal);
    if (count === 2) this.#accompanied.get(wanted)?.open();
    const first = Math.min(hit?.after ?? left, left);
    const pause = this.#pause(wanted, random, first, hit !== undefined);
    if (hit === undefined) {
      const timing = random.chance(0.2) ? random.pick(faults.timings)(random) : {};
      return runTransfer(exchange, document.octets, { ...pause, ...(fault ?? timing) });
    }
    const pieces = then(document.octets, first, () => this.#replace(wanted, exchange));
    const { end } = hit;
    await runTransfer(exchange, pieces, { ...pause, ...(end && { first, end }) });
    this.#replace(wanted, exchange); // the client may have left before
  }

  /** Puts another version of the document there, once. */
  #replace(wanted: Wanted, { session }: Exchange): void {
    const replaced = this.#replaced.get(wanted);
    if (!this.#replaced.delete(wanted)) return;
    wanted.document.replace(session.context.root);
    replaced?.open();
  }

  /** Others that bring the document wait until it is replaced, and that until there is another. */
  #pause(wanted: Wanted, random: Random, octets: number, isHit: boolean): TransferScript {
    const { crowd } = this.#weather;
    const gate = (isHit ? this.#accompanied : this.#replaced).get(wanted);
    const after = random.below(Math.min(octets, 65_536) + 1);
    const wait = delay(gate ? longestWaitMs : random.below(crowd?.paceMs ?? 400));
    if (gate) return { pause: { after, until: Promise.race([gate.opened, wait]) } };
    return crowd || random.chance(0.2) ? { pause: { after, until: wait } } : {};
  }

  #transferFault(random: Random, left: number): TransferScript | string | undefined {
    const { transfers, tellsFacts, stalls } = this.#weather;
    // Before there was any data 5yz is final.
    const enough = 32_768;
    const dying = () => faults.dyingFault({ random, first: enough + random.below(left - enough) });
    const mayDie = left > 2 * enough;
    if (mayDie && this.#deaths-- > 0) return dying();
    if (!this.#strikes(random, transfers)) return undefined;
    if (mayDie && random.chance(0.2)) return dying();
    const sized = left === 0 ? faults.emptyFaults : faults.sizedFaults;
    const choices: typeof faults.transferFaults = {
      ...faults.transferFaults,
      ...(tellsFacts ? sized : {}),
    };
    if (!stalls) for (const each of ["stall", "unconfirmed"]) delete choices[each];
    return random.pick(Object.values(choices))({ random, first: random.below(left) });
  }

  #strikes(random: Random, chance: number): boolean {
    if (this.#faults === 0 || !random.chance(chance)) return false;
    this.#faults -= 1;
    return true;
  }

  /** Dice of their own for each command of a connection, or each transfer of a document. */
  #dice({ verb, session }: Exchange, of: string | number = session.control.number) {
    const place = `${verb} ${of}`;
    const count = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, count);
    const random = new Random(hash(`${this.#seed} ${place} ${count}`));
    return { random, count };
  }
}

/** The pieces as they are; `act` is called once, when more than so many octets are asked for. */
function* then(pieces: Iterable<Buffer>, octets: number, act: () => void): Generator<Buffer> {
  let left = octets;
  let isDone = false;
  for (const piece of pieces) {
    if (left <= 0 && !isDone) act();
    isDone ||= left <= 0;
    yield piece;
    left -= piece.length;
  }
  if (!isDone) act();
}

/** FNV-1a. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const char of text) state = Math.imul(state ^ char.charCodeAt(0), 0x01000193);
  return state >>> 0;
}

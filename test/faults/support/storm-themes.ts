/**
 * The subjects of the storm: which faults a run has, and which options go with them. Together they
 * see to it that a few runs already meet each kind of fault where it can do harm.
 */
import type { Random } from "./random.ts";
import { dismissals } from "./storm-faults.ts";
import { calm, type Weather } from "./storm-weather.ts";

export interface Theme {
  readonly weather: Weather;
  readonly arrives: boolean;
  readonly sizes: readonly number[];
  readonly jobs: number;
  readonly segments: number;
  readonly tries: number;
  readonly timeout?: number;
  readonly isReplaced?: boolean;
}

const mebibyte = 2 ** 20;

export function themeOf(seed: number, random: Random): Theme {
  return themes[seed % themes.length]!(random);
}

const themes: readonly ((random: Random) => Theme)[] = [
  breaking,
  replaced,
  crowded,
  refusing,
  tempest,
];

/** Transfers break in every way, 5yz in their middle first. */
function breaking(random: Random): Theme {
  const faults = 1 + random.below(3);
  const stalls = random.chance(0.3);
  const segments = random.pick([1, 1, 2, 3]);
  return {
    weather: { ...calm, faults, transfers: 0.4, commands: 0.02, stalls, deaths: segments },
    arrives: true,
    sizes: [...sizes(random, random.below(3)), large(random)],
    jobs: random.pick([1, 2, 3]),
    segments,
    tries: faults + segments + 1,
  };
}

/** Documents are replaced while their segments are on the way, or before one resumes. */
function replaced(random: Random): Theme {
  const segments = random.pick([1, 2, 2, 3]);
  const faults = segments === 1 ? 1 : random.below(2);
  return {
    weather: { ...calm, faults, transfers: segments === 1 ? 1 : 0.1 },
    arrives: true,
    sizes: [large(random), ...sizes(random, random.below(2))],
    jobs: random.pick([1, 2]),
    segments,
    tries: faults + 2, // the transfer in which it is replaced may break, too
    isReplaced: true,
  };
}

/** The server lets one or two in, and turns others away in its own manner. */
function crowded(random: Random): Theme {
  const faults = random.below(2);
  const manner = random.pick(manners);
  const greeting = dismissals[manner];
  const limit = random.pick([1, 1, 2]);
  const isSilent = manner === "silence";
  const crowd = { limit, paceMs: isSilent ? 900 : 400, ...(greeting && { greeting }) };
  return {
    weather: { ...calm, faults, transfers: 0.2, crowd },
    arrives: true,
    sizes: [...sizes(random, 4 + random.below(5)), ...(random.chance(0.3) ? [large(random)] : [])],
    jobs: limit + 1 + random.below(4),
    segments: random.pick([1, 1, 3]),
    tries: faults + (isSilent ? 2 : 1),
  };
}

const manners = ["reset", "close", "500", "500", "reset", "close", "500", "421", "530", "silence"];

/** The server lacks REST, SIZE, EPSV and others, names ports that can't be reached, and hangs up. */
function refusing(random: Random): Theme {
  const unknown = ["REST", "SIZE", "EPSV", "MDTM", "FEAT"].filter(() => random.chance(0.25));
  const isWalled = !unknown.includes("EPSV") && random.chance(0.4);
  const faults = isWalled ? 0 : random.below(4);
  const lacks = { tellsFacts: false, unknown, isWalled };
  return {
    weather: { ...calm, faults, transfers: 0.2, commands: 0.1, ...lacks },
    arrives: true,
    sizes: [...sizes(random, 1 + random.below(3)), random.below(3 * mebibyte)],
    jobs: random.pick([1, 2, 3]),
    segments: random.pick([1, 2]),
    // A port that can't be reached costs no try, as long as PASV names another one.
    tries: faults + 1,
  };
}

/** All at once, and more than the tries suffice for. */
function tempest(random: Random): Theme {
  const tellsFacts = random.chance(0.5);
  return {
    weather: { faults: 8, transfers: 0.6, commands: 0.06, stalls: true, tellsFacts },
    arrives: false,
    sizes: [...sizes(random, 1 + random.below(3)), large(random)],
    jobs: random.pick([2, 3, 4]),
    segments: random.pick([1, 2, 3]),
    tries: random.pick([2, 3]),
    timeout: random.pick([0.5, 1]),
    isReplaced: tellsFacts && random.chance(0.5),
  };
}

function sizes(random: Random, count: number): number[] {
  const any = () => random.pick([0, 1, 65_536, 65_537, random.below(3000), random.below(300_000)]);
  return Array.from({ length: count }, any);
}

function large(random: Random): number {
  return Math.floor((2 + 2 * random.next()) * mebibyte);
}

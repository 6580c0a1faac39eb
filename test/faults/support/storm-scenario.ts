/**
 * What one run of the storm is about, drawn from its seed: the documents, what is there before,
 * the command line, and the faults that are allowed.
 */
import { loopbackCertificate } from "../../support/certificates.ts";
import type { ServerOptions } from "../../support/options.ts";
import type { Random } from "./random.ts";
import { StormDocument } from "./storm-document.ts";
import { type Theme, themeOf, type Weather } from "./storm-themes.ts";

/** A document is replaced when this transfer of it has sent some of its octets. */
export interface Replacement {
  readonly transfer: number;
  readonly after: number;
  readonly end: "fin" | "reset" | "stall" | undefined;
  readonly isEarly: boolean;
}

export interface Wanted {
  readonly document: StormDocument;
  readonly replacement?: Replacement | undefined;
  readonly before?: Before | undefined;
}

export interface Before {
  readonly octets: Buffer;
  readonly modified?: Date;
}

export const modes = ["", "-c", "-f", "-N", "--no-clobber"] as const;
export type Mode = (typeof modes)[number];

export interface Scenario {
  readonly wanted: readonly Wanted[];
  readonly mode: Mode;
  readonly options: readonly string[];
  /** Tries and the timeout. */
  readonly limits: readonly string[];
  readonly scheme: string;
  readonly server: ServerOptions;
  readonly weather: Weather;
  readonly arrives: boolean;
}

/** The run that belongs to a seed. */
export function scenarioOf(seed: number, random: Random): Scenario {
  const theme = themeOf(seed, random);
  const { weather, arrives, jobs, segments, tries, timeout = 20 } = theme;
  const mode = random.pick(modes);
  const wanted = theme.sizes.map((size, index) => {
    const directory = random.pick(["", "pub/", "pub/deep/"]);
    const document = new StormDocument(`${directory}d${index}`, size, 1 + random.below(5));
    const replacement = replacementOf(theme, size, random);
    const before = replacement === undefined ? beforeOf(mode, document, random) : undefined;
    return { document, replacement, before };
  });
  const limits = ["-t", String(tries), "-T", String(timeout)];
  const more = random.pick([[], [], [], ["--no-pipelining"], ["--no-host"], ["--active"]]);
  const shown = random.pick([["-q"], ["-v"], []]);
  const options = ["-j", String(jobs), "-s", String(segments), ...more, ...shown];
  const { scheme, server } = serverOf(random, wanted);
  return { wanted, mode, options, limits, scheme, server, weather, arrives };
}

function replacementOf(theme: Theme, size: number, random: Random): Replacement | undefined {
  if (!theme.isReplaced || size < 2 ** 20) return undefined;
  const end = random.pick(["fin", "reset", "fin", "reset", "stall", "whole", "early"] as const);
  const isEarly = end === "early" || theme.segments === 1;
  return {
    transfer: 1 + (theme.segments === 1 ? theme.weather.faults : random.below(theme.segments)),
    // The segment that it is to bring is longer.
    after: random.below(size / (2 * theme.segments)),
    end: isEarly || end === "whole" ? undefined : end,
    isEarly,
  };
}

function beforeOf(mode: Mode, document: StormDocument, random: Random): Before | undefined {
  const old: Before = {
    octets: Buffer.from("the old"),
    modified: new Date("2001-02-03T04:05:06Z"),
  };
  if (random.chance(0.6)) return undefined;
  if (mode === "-c") return { octets: document.beginning(random.below(document.size + 1)) };
  if (mode !== "-N" || random.chance(0.5)) return old;
  return { octets: document.beginning(document.size), modified: document.modified };
}

function serverOf(random: Random, wanted: readonly Wanted[]): Pick<Scenario, "scheme" | "server"> {
  const scheme = random.pick(["ftp", "ftp", "ftp", "ftpes", "ftps"]);
  const files = wanted.map(({ document }) => [document.pathname, document.source] as const);
  const tls = { ...loopbackCertificate, implicit: scheme === "ftps" };
  const server: ServerOptions = {
    files: Object.fromEntries(files),
    ...(scheme === "ftp" ? {} : { tls: { ...tls, requireReuse: random.chance(0.3) } }),
    ...(random.chance(0.1) ? { chunk: 1 + random.below(9) } : {}),
  };
  return { scheme, server };
}

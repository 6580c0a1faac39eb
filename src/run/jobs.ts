/** From the command line's settings to jobs: which plan each URL gets, and where its octets go. */
import { basename, join } from "node:path";
import type { Checksum } from "../checksums/checksum.ts";
import type { Observer } from "../documents/events.ts";
import { explain } from "../documents/explain.ts";
import type { Job, ListingOutput } from "../documents/job.ts";
import { reasonToKeep } from "../documents/timestamping.ts";
import type { SharedDestination } from "../files/destination.ts";
import { localName } from "../files/names.ts";
import { NamedFile } from "../files/part/named-file.ts";
import type { Collision } from "../files/part/reserve.ts";
import { inMemory } from "../files/part/small-document.ts";
import { isTaken } from "../files/regular-file.ts";
import type { Settings } from "../options/command-line.ts";
import { decoderFor, encoderFor } from "../text/encoding.ts";
import { formatFtpUrl, quoteForShell } from "../url/format.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import { hasRawCharacters, planOf, type Plan, type PlanOptions } from "../url/plan.ts";

/** Where documents go that don't get a file of their own name. */
export interface Outputs {
  /** The file of -O; undefined when there is none. */
  readonly shared: SharedDestination | undefined;
  readonly listing: ListingOutput;
}

/** The checksums that the document of a URL has to have; none where it isn't verified. */
export type ExpectedChecksums = (url: FtpUrl) => readonly Checksum[];

/** The job for one URL. */
export function jobFor(
  url: FtpUrl,
  settings: Settings,
  outputs: Outputs,
  expectedOf: ExpectedChecksums,
  observer: Observer,
): Job {
  const { shared, listing } = outputs;
  const presumed = presumedPlan(url, settings);
  const path = pathFor(url, settings, presumed);
  const dependsOnUtf8 = hasRawCharacters(url);
  const expected = expectedOf(url);
  const shownUrl = formatFtpUrl(url);
  const destination = shared ?? new NamedFile(path, collisionFor(settings), inMemory);
  return {
    url,
    shownUrl,
    planFor: (isUtf8) => (dependsOnUtf8 ? serverPlan(url, settings, isUtf8, observer) : presumed),
    plan: dependsOnUtf8 ? undefined : presumed,
    destination,
    ...placeFor(settings.outputDocument ?? path, settings, presumed),
    expected,
    continuation: () => {
      const file = destination.label;
      const target = file === basename(path) ? [] : ["-O", file];
      return ["ftpull", "-c", ...target, shownUrl].map(quoteForShell).join(" ");
    },
    listing,
    listsInstead: shared === undefined && expected.length === 0,
    ebcdicEncoding: settings.ebcdicEncoding,
    keepsTime: !settings.noMtime,
    segments: settings.segments,
    skips: settings.timestamping ? reasonToKeep(path, expected, observer) : undefined,
  };
}

/** Which file a document has to itself, and whether --no-clobber skips it, since that is there. */
function placeFor(
  path: string,
  settings: Settings,
  { action }: Plan,
): Pick<Job, "file" | "isThere"> {
  const { noClobber, outputDocument } = settings;
  if (action === "list") return { file: undefined, isThere: undefined };
  const isShared = outputDocument !== undefined;
  const isNumbered = collisionFor(settings) === "number" && !noClobber;
  const reason = (): string | undefined =>
    isTaken(path) ? `"${path}" is there already` : undefined;
  return {
    file: isShared || isNumbered ? undefined : path,
    isThere: noClobber ? reason : undefined,
  };
}

function collisionFor(settings: Settings): Collision {
  if (settings.continue) return "continue";
  return settings.force || settings.timestamping ? "replace" : "number";
}

/** The plan for a URL as far as it can be told without asking a server. */
export function presumedPlan(url: FtpUrl, settings: Settings): Plan {
  return planOf(url, planOptions(settings, settings.remoteEncoding));
}

/** The path that a URL's file gets when that name is free. */
export function pathFor(
  url: FtpUrl,
  settings: Settings,
  { name } = presumedPlan(url, settings),
): string {
  return join(settings.directoryPrefix, localName(name, decoderFor(settings.remoteEncoding)));
}

/** What --explain says of a URL. */
export function explanation(url: FtpUrl, settings: Settings): string {
  const plan = presumedPlan(url, settings);
  const usual = plan.action === "list" ? "standard output" : pathFor(url, settings, plan);
  return explain(url, plan, {
    host: !settings.noHost,
    tls: settings.tls,
    active: settings.active,
    user: settings.user,
    target: settings.outputDocument ?? usual,
    encoding: settings.remoteEncoding,
  });
}

/** Characters that stand raw in a URL are sent in UTF-8 where the server has it (S10). */
function serverPlan(url: FtpUrl, settings: Settings, isUtf8: boolean, observer: Observer): Plan {
  if (isUtf8) return planOf(url, planOptions(settings, undefined));
  if (settings.remoteEncoding === undefined) {
    observer.warning(
      "the server doesn't say that its names are UTF-8: if it can't find this one, try --remote-encoding",
    );
  }
  return presumedPlan(url, settings);
}

function planOptions(
  { root, nullCwd, guessType }: Settings,
  encoding: string | undefined,
): PlanOptions {
  const choices = { root, nullCwd, guessType };
  return encoding === undefined ? choices : { ...choices, encode: encoderFor(encoding) };
}

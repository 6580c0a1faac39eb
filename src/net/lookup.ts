/** The addresses of a host, in the order in which they are tried. */
import { ADDRCONFIG, getServers, lookup as lookUp, type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { NetworkFailure } from "../errors.ts";
import { type TimeOptions, withDeadline } from "./deadline.ts";

export type Lookup = (
  name: string,
  family: 4 | 6 | undefined,
  timeoutMs: number,
) => Promise<readonly LookupAddress[]>;

export interface LookupOptions extends TimeOptions {
  readonly family: 4 | 6 | undefined;
  readonly lookup?: Lookup;
}

/**
 * The addresses of `host`, a name or an address. @throws the error of `lookup`; NetworkFailure
 * after `timeoutMs`; the reason of `signal`
 */
export async function addressesOf(
  host: string,
  options: LookupOptions,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const { family, timeoutMs, lookup = systemLookup } = options;
  const words = `the name server did not answer within ${timeoutMs / 1000} s`;
  return new Promise((resolve, reject) => {
    // The deadline destroys what it waits for. A lookup can't be stopped: the caller gets the error at once instead.
    const inPlaceOfSocket = {
      destroy: (error?: Error): void => {
        if (error !== undefined) reject(error);
      },
    };
    const work = async () => inTurns(await lookup(host, family, timeoutMs));
    withDeadline(inPlaceOfSocket, options, new NetworkFailure(words), work).then(resolve, reject);
  });
}

const lookupsUnderWay = new Map<string, ReturnType<Lookup>>();

const systemLookup: Lookup = (name, family, timeoutMs) => {
  const key = `${name} ${family}`;
  const pending = lookupsUnderWay.get(key);
  if (pending !== undefined) return pending;
  limitResolver(timeoutMs / 1000);
  // Families that this machine lacks are left out, as in net.connect.
  const hints = family === undefined && process.platform !== "win32" ? ADDRCONFIG : 0;
  const found = new Promise<LookupAddress[]>((resolve, reject) => {
    lookUp(name, { all: true, family: family ?? 0, hints }, (error, addresses) => {
      lookupsUnderWay.delete(key);
      if (error) reject(error);
      else resolve(addresses);
    });
  });
  lookupsUnderWay.set(key, found);
  return found;
};

/** Defaults of glibc's resolver for one query, and its limit of name servers (resolv.conf(5)). */
const usualSeconds = 5;
const usualAttempts = 2;
const mostServers = 3;

/** Has glibc give up about when -T does: a thread that waits for a name server would keep the process alive. */
function limitResolver(seconds: number): void {
  const longestWait = mostServers * usualAttempts * usualSeconds;
  if (seconds >= longestWait || process.env["RES_OPTIONS"] !== undefined) return;
  const servers = Math.min(mostServers, Math.max(1, getServers().length));
  const secondsPerServer = Math.max(1, Math.floor(seconds / servers));
  const attempts = Math.min(usualAttempts, secondsPerServer);
  const timeout = Math.min(usualSeconds, Math.floor(secondsPerServer / attempts));
  process.env["RES_OPTIONS"] = `timeout:${timeout} attempts:${attempts}`;
}

/** The families in turn, beginning with the first address's (RFC 8305 §4). */
function inTurns(found: readonly LookupAddress[]): string[] {
  const isFirstFamily = ({ family }: LookupAddress): boolean => family === found[0]?.family;
  const firsts = found.filter(isFirstFamily);
  const others = found.filter((address) => !isFirstFamily(address));
  const turns = found.flatMap((_, turn) => [firsts[turn] ?? [], others[turn] ?? []].flat());
  return turns.map(({ address }) => address);
}

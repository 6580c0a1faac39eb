import { describe, expect, test } from "vitest";
import { Reachability } from "../../src/documents/queue/reachability.ts";
import { backoff, BeginAgain, retry, type Attempt } from "../../src/documents/retry.ts";
import { FtpullError, Unreachable } from "../../src/errors.ts";

const passing = new FtpullError("network", "the data connection broke", { transient: true });
const final = new FtpullError("refused", "no such file");

/** What a try does: fails with an error, after so many octets altogether; or brings the document. */
type Try = { error: FtpullError; octets?: number } | "whole";

function scripted(tries: readonly Try[], rewindable = true, reachability = new Reachability()) {
  const events: string[] = [];
  let octets = 0;
  let count = 0;
  const attempt: Attempt<string> = {
    server: "h:21",
    run: async () => {
      const one = tries[Math.min(count++, tries.length - 1)]!;
      if (one === "whole") return "here";
      octets = Math.max(octets, one.octets ?? 0);
      throw one.error;
    },
    progress: () => octets,
    beginAgain: async () => rewindable,
    makeRoom: async () => false,
    retrying: (error, remaining, waitMs) =>
      events.push(`${error.message}, ${remaining}, ${waitMs}`),
    beginningAgain: (because) => events.push(because),
  };
  const wait = async () => {};
  const policy = (limit: number) => ({ tries: limit, reachability, wait, random: () => 0 });
  return { events, run: (limit = 5) => retry(attempt, policy(limit)), count: () => count };
}

test("a document that arrives at once needs one try", async () => {
  const script = scripted(["whole"]);
  expect(await script.run()).toBe("here");
  expect(script.events).toEqual([]);
});

test("each retry says why and how many remain, after 1, 2, 4 and 8 s", async () => {
  const script = scripted([{ error: passing }]);
  await expect(script.run()).rejects.toBe(passing);
  expect(script.count()).toBe(5);
  expect(script.events).toEqual([
    "the data connection broke, 4, 1000",
    "the data connection broke, 3, 2000",
    "the data connection broke, 2, 4000",
    "the data connection broke, 1, 8000",
  ]);
});

test("a refusal is final", async () => {
  const script = scripted([{ error: final }]);
  await expect(script.run()).rejects.toBe(final);
  expect(script.count()).toBe(1);
});

test("tries that bring something new don't count", async () => {
  const tries: Try[] = [1, 2, 3, 4].map((octets) => ({ error: passing, octets }));
  const script = scripted([...tries, "whole"]);
  expect(await script.run(2)).toBe("here");
});

test("0 tries means no limit", async () => {
  const script = scripted([...Array<Try>(50).fill({ error: passing }), "whole"]);
  expect(await script.run(0)).toBe("here");
  expect(script.events[0]).toBe("the data connection broke, undefined, 1000");
});

test("beginning again costs no try and no wait", async () => {
  const script = scripted([{ error: new BeginAgain("it has changed") }, "whole"]);
  expect(await script.run(1)).toBe("here");
  expect(script.events).toEqual(["it has changed"]);
});

test("a break that can't be repaired fails as what it was", async () => {
  const changed = new BeginAgain("it has changed");
  const script = scripted([{ error: passing }, { error: changed }], false);
  await expect(script.run()).rejects.toMatchObject({
    kind: "network",
    message: "the data connection broke; it has changed",
  });
});

describe("a server that can't be connected", () => {
  const deaf: Try = {
    error: new Unreachable("network", "cannot connect: no answer", { transient: true }),
  };
  const refusing: Try = {
    error: new Unreachable("network", "cannot connect: connection refused", {
      transient: true,
      cause: Object.assign(new Error(), { code: "ECONNREFUSED" }),
    }),
  };

  /** How often each of several documents of one server was tried. */
  async function countsOf(...documents: (readonly Try[])[]): Promise<number[]> {
    const reachability = new Reachability();
    const counts: number[] = [];
    for (const tries of documents) {
      const script = scripted(tries, true, reachability);
      await script.run().catch(() => undefined);
      counts.push(script.count());
    }
    return counts;
  }

  test("gets all tries, then one, then none", async () => {
    expect(await countsOf([deaf], [deaf], [deaf], ["whole"])).toEqual([5, 1, 0, 0]);
  });

  test("counts as reached by whatever else becomes of a try", async () => {
    const broken: Try = { error: passing };
    expect(await countsOf([deaf], [broken], [deaf], ["whole"], [deaf])).toEqual([5, 5, 5, 1, 5]);
  });

  test("and refuses isn't tried again, unless it had answered before", async () => {
    expect(await countsOf([refusing], [refusing], [refusing])).toEqual([1, 1, 0]);
    expect(await countsOf([deaf, refusing])).toEqual([2]);
    expect(await countsOf(["whole"], [refusing], [refusing])).toEqual([1, 5, 1]);
    expect(await countsOf([{ error: passing }, refusing])).toEqual([5]);
  });

  test("has every further document fail in the same words", async () => {
    const reachability = new Reachability();
    await scripted([refusing], true, reachability)
      .run()
      .catch(() => undefined);
    await scripted([refusing], true, reachability)
      .run()
      .catch(() => undefined);
    const third = scripted([deaf], true, reachability).run();
    await expect(third).rejects.toThrow("cannot connect: connection refused");
  });
});

describe("backoff", () => {
  test.each([
    [1, 0, 1000],
    [2, 0, 2000],
    [5, 0, 16000],
    [6, 0, 30000],
    [40, 0, 30000],
    [1, 1, 800],
    [9, 1, 24000],
  ])("after %d failures with dice at %d: %d ms", (failures, random, expected) => {
    expect(backoff(failures, random)).toBe(expected);
  });
});

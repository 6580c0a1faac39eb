import { describe, expect, test } from "vitest";
import { beginAgain, type Repeatable, retry } from "../../src/documents/retry.ts";
import { FtpullError } from "../../src/errors.ts";
import { nextTry } from "../../src/tries.ts";

const passing = new FtpullError("network", "the data connection broke", { transient: true });
const final = new FtpullError("refused", "no such file");

type Try = { error: FtpullError; octets?: number } | "whole";

function scripted(tries: readonly Try[], rewindable = true) {
  const events: string[] = [];
  let octets = 0;
  let count = 0;
  let waited = 0;
  const attempt: Repeatable<string> = {
    run: async () => {
      const one = tries[Math.min(count++, tries.length - 1)]!;
      if (one === "whole") return "here";
      octets = Math.max(octets, one.octets ?? 0);
      throw one.error;
    },
    get reached() {
      return octets;
    },
    beginAgain: (because) => {
      if (rewindable) events.push(because);
      octets = 0;
      return rewindable;
    },
    say: (text) => void events.push(text),
  };
  const wait = async (milliseconds: number) => void (waited += milliseconds);
  const policy = (limit: number) => ({
    tries: limit,
    longestWaitMs: 30_000,
    wait,
    random: () => 0,
    now: () => waited,
  });
  return { events, run: (limit = 5) => retry(attempt, policy(limit)), count: () => count };
}

test("each retry says why and how many remain, after 1, 2, 4 and 8 s", async () => {
  const script = scripted([{ error: passing }]);
  await expect(script.run()).rejects.toBe(passing);
  expect(script.count()).toBe(5);
  expect(script.events).toEqual([
    "the data connection broke; trying again in 1.0 s (4 tries left)",
    "the data connection broke; trying again in 2.0 s (3 tries left)",
    "the data connection broke; trying again in 4.0 s (2 tries left)",
    "the data connection broke; trying again in 8.0 s (1 try left)",
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

test("behind something new as many tries are left as behind the first one", async () => {
  const script = scripted([1, 2, 2].map((octets) => ({ error: passing, octets })));
  await expect(script.run(2)).rejects.toBe(passing);
  expect(script.count()).toBe(3);
});

test("beginning again costs no try and no wait", async () => {
  const script = scripted([{ error: beginAgain("it has changed") }, "whole"]);
  expect(await script.run(1)).toBe("here");
  expect(script.events).toEqual(["it has changed"]);
});

test("a break behind which nothing can begin again is a failure", async () => {
  const changed = beginAgain("it has changed");
  const script = scripted([{ error: passing }, { error: changed }], false);
  await expect(script.run()).rejects.toBe(changed);
});

describe("a document that changes", () => {
  const changed: Try = { error: beginAgain("it has changed") };

  test("as often as there are tries, arrives; once more, and it fails with these words", async () => {
    const script = scripted([changed, changed, "whole"]);
    expect(await script.run(2)).toBe("here");
    const endless = scripted([changed]);
    await expect(endless.run(2)).rejects.toThrow("it has changed");
    expect(endless.count()).toBe(3);
  });

  test("counts its failures on: what came before it was begun again is no progress", async () => {
    const tries = [1, 2, 3].flatMap((octets): Try[] => [{ error: passing, octets }, changed]);
    const script = scripted(tries);
    await expect(script.run(3)).rejects.toBe(passing);
    expect(script.count()).toBe(5);
  });

  test("and goes on has progress again", async () => {
    const tries = [1, 2, 3, 4].map((octets): Try => ({ error: passing, octets }));
    expect(await scripted([changed, ...tries, "whole"]).run(2)).toBe("here");
  });
});

describe("the wait between tries", () => {
  test.each([
    [1, 0, 30, 1000],
    [6, 0, 30, 30000],
    [9, 1, 30, 24000],
    [40, 0, 300, 300_000],
    [1, 0, 0.5, 500],
    [3, 0, 0, 0],
  ])("after %d failures with dice at %d, %d s at most: %d ms", (failures, dice, most, expected) => {
    const policy = { tries: 0, random: () => dice, longestWaitMs: most * 1000 };
    expect(nextTry(failures, policy)?.waitMs).toBe(expected);
  });
});

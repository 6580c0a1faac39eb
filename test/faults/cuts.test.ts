/**
 * The data is cut at an octet, in every manner: the file is equal in the end, whatever was said
 * of the cut. A sample is tried under `npm test`, all places under LONG=1.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { isLong } from "../support/long.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import { ScriptedServer } from "../support/scripted-server.ts";

const size = 20_000;
const content = generatedOctets(1, 0, size);

/** Octets of made up data are as good as dice. */
const dice = generatedOctets(2, 0, 200);
const randomPlaces = Array.from({ length: 50 }, (_, i) => dice.readUInt32LE(4 * i) % size);
const places = [0, 1, size - 1, ...(isLong ? randomPlaces : randomPlaces.slice(0, 1))];

const completions: Record<string, Action> = {
  "226": "226 Transfer complete",
  "426": "426 Connection closed; transfer aborted",
  "451": "451 Local error in processing",
  nothing: [],
};

const noSize = { SIZE: "502 No SIZE", MDTM: "502 No MDTM" };

it.each(Object.keys(completions))(
  "a cut once, and then %s: the next try completes the file",
  async (completion) => {
    for (const end of ["fin", "reset"] as const)
      await expectEqual((place) => ({
        "RETR#1": transfer({ first: place, end, completion: completions[completion]! }),
      }));
  },
  7_200_000,
);

// A FIN and 226 where nobody knows the size is the one cut that can't be seen.
it.each(["426", "451", "nothing"])(
  "a cut once where size and time are unknown, and then %s: the next try begins again",
  (completion) =>
    expectEqual((place) => ({
      ...noSize,
      "RETR#1": transfer({ first: place, completion: completions[completion]! }),
    })),
  7_200_000,
);

it("cuts one after the other, each with some progress, use up no tries", async () => {
  const some = transfer({ first: 4096 + 5000, completion: "426 Cut" });
  expect(await fetchOnce({ RETR: some, "RETR#5": transfer({}) })).toBe("0 equal");
});

/** Runs the program against a server with such a script, for every place. */
async function expectEqual(scriptFor: (place: number) => Record<string, Action>): Promise<void> {
  for (const place of places)
    expect(await fetchOnce(scriptFor(place)), `cut at ${place}`).toBe("0 equal");
}

async function fetchOnce(on: Record<string, Action>): Promise<string> {
  const server = await ScriptedServer.start({ files: { x: content }, on });
  onTestFinished(() => server.close());
  const args = ["-q", "-t", "4", "-T", "3", server.url("/x")];
  const { status, cwd } = await run(args);
  const path = join(cwd, "x");
  if (!existsSync(path)) return `${status} no file`;
  return `${status} ${readFileSync(path).equals(content) ? "equal" : "WRONG"}`;
}

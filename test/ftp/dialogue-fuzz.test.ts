/** Chains of documents end the same whether their commands travel together or one by one. */
import { expect, test } from "vitest";
import { parseReply } from "../../src/ftp/control/reply.ts";
import type { State } from "../../src/ftp/state.ts";
import { isLong } from "../support/long.ts";
import { chainOf, follow, type Plant } from "./support/chain.ts";

const chains = isLong ? 10_000 : 500;

test(`${chains} chains of documents end the same together and one by one`, async () => {
  expect(await differences(chains)).toEqual([]);
}, 7_200_000);

test("a CWD that is believed though it was refused is found", async () => {
  const believing: Plant = (server) => {
    const send = server.send.bind(server);
    server.send = (commands) => {
      for (const command of commands.filter(({ line }) => line.startsWith("CWD "))) {
        const effect = command.effect.bind(command);
        Object.assign(command, { effect: (state: State) => effect(state, parseReply("250 here")) });
      }
      return send(commands);
    };
    return server;
  };
  expect(await differences(chains, believing)).not.toEqual([]);
}, 7_200_000);

async function differences(count: number, plant?: Plant): Promise<object[]> {
  const found: object[] = [];
  for (let seed = 1; seed <= count && found.length < 3; seed++) {
    const chain = chainOf(seed);
    const together = await follow(chain, true, plant);
    const oneByOne = await follow(chain, false, plant);
    const errors = [...together.errors, ...oneByOne.errors];
    const isSame = together.documents.join("\n") === oneByOne.documents.join("\n");
    if (!isSame || errors.length > 0)
      found.push({ seed, errors, together, oneByOne, plans: chain.plans });
  }
  return found;
}

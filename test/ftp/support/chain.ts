/** Three documents over the sessions of a model server, as a run fetches them. */
import { hasReason } from "../../../src/errors.ts";
import { isCompletion } from "../../../src/ftp/control/reply.ts";
import { goalOf, login } from "../../../src/ftp/dialogue.ts";
import { isListedByName, locatedFile } from "../../../src/ftp/document-steps.ts";
import { reinitializeCommand } from "../../../src/ftp/login-steps.ts";
import { reaches } from "../../../src/ftp/path-steps.ts";
import { Runner } from "../../../src/ftp/runner.ts";
import { ServerCapabilities } from "../../../src/ftp/capabilities.ts";
import { initialState, plainCommand } from "../../../src/ftp/state.ts";
import type { Plan } from "../../../src/url/plan.ts";
import { ModelServer, resolve, World } from "./model-server.ts";

export interface Chain {
  readonly world: World;
  readonly plans: readonly Plan[];
  /** The first password that is known; undefined asks for one. */
  readonly password: string | undefined;
  /** After which documents the next one is sent for before this one is over. */
  readonly early: readonly boolean[];
}

const cwds = ["a", "b", "c", "", "/", "/a", "a b"];
const names = ["x", "a", "b", "y"];
const types = ["I", "I", "I", "A", "E", "L 8"];

/** The chain of a seed. */
export function chainOf(seed: number): Chain {
  const world = new World(seed);
  const pick = <T>(choices: readonly T[], ...words: (string | number)[]): T =>
    choices[world.below(choices.length, "chain", ...words)] as T;
  const plans = [0, 1, 2].map((index): Plan => {
    const action = pick(["retrieve", "retrieve", "list"] as const, "action", index);
    const count = world.below(4, "chain", "count", index);
    const path = Array.from({ length: count }, (_, at) => pick(cwds, "cwd", index, at));
    const isList = action === "list";
    const name = isList && pick([true, false], "inside", index) ? "" : pick(names, "name", index);
    const type = isList
      ? pick([undefined, undefined, "A", "I"], "type", index)
      : pick(types, "type", index);
    return { cwds: path, name, action, type, conversion: "none" };
  });
  const password = pick(["right", "right", "right", "wrong", undefined], "password");
  const early = [0, 1, 2].map((index) => pick([true, false], "early", index));
  return { world, plans, password, early };
}

export interface Fate {
  readonly documents: readonly string[];
  readonly errors: readonly string[];
  readonly lines: readonly string[];
}

/** Plants a fault: gets each server before anything is sent to it. */
export type Plant = (server: ModelServer) => ModelServer;

/** Follows a chain to its end, with pipelining or one command at a time. */
export async function follow(
  chain: Chain,
  pipelining: boolean,
  plant: Plant = (server) => server,
): Promise<Fate> {
  const run = new ChainRun(chain, pipelining, plant);
  const documents: string[] = [];
  for (const index of chain.plans.keys()) documents.push(await run.fetch(index));
  return { documents, errors: run.errors, lines: run.lines };
}

class ChainRun {
  readonly errors: string[] = [];
  readonly #chain: Chain;
  readonly #plant: Plant;
  readonly #servers: ModelServer[] = [];
  readonly #capabilities: ServerCapabilities;
  #runner: Runner | undefined;

  constructor(chain: Chain, pipelining: boolean, plant: Plant) {
    this.#chain = chain;
    this.#capabilities = new ServerCapabilities(pipelining);
    this.#plant = plant;
  }

  get lines(): string[] {
    return this.#servers.flatMap(({ lines }) => ["(connect)", ...lines]);
  }

  /** Tries again on a new connection where there is no way back, as `Tries` does. */
  async fetch(index: number): Promise<string> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#fetch(index);
      } catch (error) {
        const isMisplaced = hasReason(error, "misplaced reply");
        if (isMisplaced) this.#capabilities.learn({ pipelining: false });
        if ((isMisplaced || hasReason(error, "no way back")) && tries < 3) this.#runner = undefined;
        else return `failed: ${(error as Error).message}`;
      }
    }
  }

  async #fetch(index: number): Promise<string> {
    const plan = this.#chain.plans[index] as Plan;
    const runner = await this.#sessionFor(plan);
    await runner.reach(goalOf(plan));
    const server = this.#servers.at(-1) as ModelServer;
    const found =
      plan.action === "list" ? listing(runner, server, plan) : this.#file(runner, server, plan);
    const { code } = await runner.ask(plainCommand("EPSV", 229));
    const following = this.#chain.early[index] === true ? this.#chain.plans[index + 1] : undefined;
    if (following !== undefined && reaches(runner.state, following.cwds))
      runner.sendAhead([goalOf(following)]);
    return `${found} ${code}`;
  }

  async #sessionFor(plan: Plan): Promise<Runner> {
    const idle = this.#runner;
    if (idle !== undefined) {
      idle.beginDocument();
      const isReached =
        reaches(idle.state, plan.cwds) || isCompletion(await idle.perform(reinitializeCommand));
      if (isReached) {
        await idle.reachAhead(login, goalOf(plan));
        return idle;
      }
    }
    const server = this.#plant(new ModelServer(this.#chain.world));
    this.#servers.push(server);
    const { password } = this.#chain;
    const setup = { host: "h", secured: false, user: "u", password, site: [] };
    const runner = new Runner(initialState(setup), server, credentials, this.#capabilities);
    this.#runner = undefined;
    await runner.reachAhead(login, goalOf(plan));
    this.#runner = runner;
    return runner;
  }

  #file(runner: Runner, server: ModelServer, plan: Plan): string {
    const { name, facts, refusal } = locatedFile(runner.state, plan);
    const { loginDirectory } = server.world;
    const wanted =
      refusal === undefined ? plan.cwds.reduce(resolve, loginDirectory) : loginDirectory;
    if (server.directory !== wanted) this.errors.push(`${server.directory} for ${wanted}`);
    const path = resolve(server.directory, name);
    const size = /^213 (\d+)$/.exec(server.world.sizeOf(path, "I"))?.[1];
    if (facts.size !== undefined && `${facts.size}` !== size) this.errors.push(`size of ${path}`);
    const { typeRefusal, type: inForce = "A" } = runner.state;
    if (inForce !== server.type) this.errors.push(`${server.type} for ${inForce}`);
    // Where a type is refused, the one in force may be that of an earlier document.
    const type =
      typeRefusal === undefined ? `${server.type} ${facts.size}` : `no ${typeRefusal.type}`;
    return `file ${path} ${type} ${facts.modified?.toISOString()}`;
  }
}

function listing({ state }: Runner, server: ModelServer, plan: Plan): string {
  const name = isListedByName(state, plan) ? ` by its name ${plan.name}` : "";
  // Without a typecode any type that is in force will do.
  const isAny = plan.type === undefined || state.typeRefusal !== undefined;
  return `listing ${server.directory}${name} ${isAny ? "" : server.type}`;
}

const credentials = {
  knownAccount: undefined,
  password: () => Promise.resolve("wrong"),
  retry: () => Promise.resolve({ user: "v", password: "right" }),
  account: (_text: string, refused: string | undefined) =>
    Promise.resolve(refused ? "sales" : "guess"),
};

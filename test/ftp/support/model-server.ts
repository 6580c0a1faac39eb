/**
 * A server without a network, whose tree and refusals follow from a seed. What it says depends on
 * the command and on where the session is, never on what was sent together or how often.
 */
import { misplaced } from "../../../src/ftp/control/exchanges.ts";
import { fits } from "../../../src/ftp/control/fits.ts";
import { parseReply } from "../../../src/ftp/control/reply.ts";
import type { Connection } from "../../../src/ftp/runner.ts";
import type { Command } from "../../../src/ftp/state.ts";

const refusals = [
  "450 busy",
  "500 what?",
  "501 no",
  "502 no",
  "504 no",
  "530 no",
  "550 no",
  "553 no",
];

export class World {
  readonly #seed: number;
  readonly #trouble: number;

  constructor(seed: number) {
    this.#seed = seed;
    this.#trouble = this.below(4, "trouble") * 6;
  }

  below(limit: number, ...words: readonly (string | number)[]): number {
    return hash(this.#seed, words.join("\n")) % limit;
  }

  refusalOf(line: string): string | undefined {
    if (this.below(100, "refused", line) >= this.#trouble) return undefined;
    return refusals[this.below(refusals.length, "refusal", line)];
  }

  wantsAccount(line: string): boolean {
    return this.below(100, "demand", line) < this.#trouble;
  }

  isDirectory(path: string): boolean {
    return path === "/" || path === this.loginDirectory || this.below(3, "directory", path) > 0;
  }

  get loginDirectory(): string {
    return this.below(2, "home") === 0 ? "/" : "/a";
  }

  sizeOf(path: string, type: string): string {
    const number = 1 + this.below(1_000_000, "size", path, type);
    return type === "I" || this.below(3, "size in", type) > 0
      ? `213 ${number}`
      : "550 not in ASCII";
  }
}

/** FNV-1a, and a last mix of all bits. */
function hash(seed: number, text: string): number {
  let state = Math.imul(seed, 0x9e3779b9) ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
  return (state ^ (state >>> 15)) >>> 0;
}

/** The other end of one control connection. */
export class ModelServer implements Connection {
  readonly world: World;
  readonly lines: string[] = [];
  directory: string;
  type = "A";
  #user: string | undefined;
  #stage: "user" | "password" | "account" | "logged in" = "user";
  #hasAccount = false;
  #isUsed = false;

  constructor(world: World) {
    this.world = world;
    this.directory = world.loginDirectory;
  }

  send(commands: readonly Command[]): ReturnType<Connection["send"]> {
    let isMisread = false;
    return commands.map((command, index) => {
      this.lines.push(command.line);
      const reply = parseReply(this.#answer(command.line));
      const exchange: Parameters<typeof fits>[1]["oldest"] = { command };
      const isLast = index === commands.length - 1;
      const isLoggedIn = this.#stage === "logged in";
      isMisread ||= !isLast && !fits(reply, { oldest: exchange, isLast, isLoggedIn });
      const misread = isMisread;
      const finalReply = () =>
        misread ? Promise.reject(misplaced(`${reply.code}`)) : Promise.resolve(reply);
      return { command, finalReply };
    });
  }

  #answer(line: string): string {
    const [, verb = "", argument = ""] = /^(\w+) ?(.*)$/.exec(line) ?? [];
    const isLogin = ["HOST", "USER", "PASS", "ACCT", "REIN"].includes(verb);
    if (isLogin) return this.#answerLogin(verb, argument);
    // Some servers take commands before the login is done.
    if (this.#stage !== "logged in" && this.world.below(4, "open", verb) > 0) return "530 log in";
    if (!this.#hasAccount && verb !== "PWD" && this.world.wantsAccount(line))
      return this.world.below(2, "code", line) === 0 ? "332 account?" : "532 account?";
    return this.world.refusalOf(line) ?? this.#answerPath(verb, argument);
  }

  #answerLogin(verb: string, argument: string): string {
    const { world } = this;
    switch (verb) {
      case "HOST":
        return world.refusalOf("HOST") ?? "220 host";
      case "USER":
        this.#user = argument;
        this.#stage = "password";
        return world.below(4, "user only", argument) === 0 ? this.#accept() : "331 password?";
      case "PASS":
        if (this.#stage !== "password") return "503 USER comes first";
        return argument === "right" ? this.#accept() : "530 not you";
      case "ACCT":
        if (argument !== "sales") return "530 no such account";
        this.#hasAccount = true;
        return this.#stage === "account" ? this.#logIn() : "230 thanks";
      default:
        if (world.refusalOf("REIN") !== undefined) return "502 no";
        this.#stage = "user";
        this.#hasAccount = false;
        this.directory = world.loginDirectory;
        this.type = "A";
        return "220 again";
    }
  }

  #accept(): string {
    if (this.world.below(4, "account", this.#user ?? "") > 0 || this.#hasAccount)
      return this.#logIn();
    this.#stage = "account";
    return "332 account?";
  }

  #logIn(): string {
    this.#stage = "logged in";
    // What was set before the login may be forgotten, or not.
    if (this.#isUsed && this.world.below(2, "forgets") === 0) {
      this.directory = this.world.loginDirectory;
      this.type = "A";
    }
    return "230 welcome";
  }

  #answerPath(verb: string, argument: string): string {
    this.#isUsed = true;
    switch (verb) {
      case "FEAT":
        if (this.#stage !== "logged in") return "211 none yet";
        return this.world.below(2, "utf8") === 0 ? "211-\n UTF8\n MLST\n211 end" : "211 none";
      case "PWD":
        return this.world.below(5, "pwd") === 0 ? "257 nowhere" : `257 "${this.directory}"`;
      case "CWD":
        return this.#enter(resolve(this.directory, argument));
      case "TYPE":
        this.type = argument;
        return "200 as you like";
      case "SIZE":
        return this.world.sizeOf(resolve(this.directory, argument), this.type);
      case "MDTM":
        return `213 ${timeOf(this.world.below(28, "time", resolve(this.directory, argument)))}`;
      default:
        return "229 (|||2020|)";
    }
  }

  #enter(path: string): string {
    if (!this.world.isDirectory(path)) return "550 no such directory";
    this.directory = path;
    return "250 here";
  }
}

function timeOf(day: number): string {
  return `202601${String(day + 1).padStart(2, "0")}120000`;
}

/** An absolute pathname, seen from `directory`. */
export function resolve(directory: string, argument: string): string {
  const path = argument.startsWith("/") ? argument : `${directory}/${argument}`;
  return path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}

/**
 * The working directory: which CWDs have led to it from the login directory, and the
 * cheapest certain way to the next one (P1, M2).
 */
import { NetworkFailure } from "../errors.ts";
import { isCompletion, parse257, quoteName, ReplyError, type Request } from "./control/reply.ts";

/** Follows and remembers the working directory of one session. */
export class WorkingDirectory {
  readonly #request: Request;
  /** What PWD said before the first CWD; undefined when that is of no use. */
  #loginDirectory: string | undefined;
  #hasAsked = false;
  /** The CWDs that went through since login; undefined when nobody can tell. */
  #entered: string[] | undefined = [];

  constructor(request: Request) {
    this.#request = request;
  }

  /** The commands that `enter` will send when all goes well. */
  commandsTo(cwds: readonly string[]): string[] {
    const steps = this.#stepsTo(cwds);
    if (steps !== undefined) {
      const pwd = steps.length > 0 && !this.#hasAsked ? ["PWD"] : [];
      return [...pwd, ...steps.map((cwd) => `CWD ${cwd}`)];
    }
    const back = this.#loginDirectory;
    return back === undefined ? [] : [back, ...cwds].map((cwd) => `CWD ${cwd}`);
  }

  /**
   * Makes the directory that `cwds` lead to from the login directory the working directory.
   * @throws ReplyError when one is refused, NoWayBack
   */
  async enter(cwds: readonly string[]): Promise<void> {
    let steps = this.#stepsTo(cwds);
    if (steps === undefined) {
      if (!(await this.returnToLogin())) throw new NoWayBack();
      steps = cwds;
    }
    if (steps.length > 0) await this.#askLoginDirectory();
    for (const cwd of steps) {
      const reply = await this.#request(`CWD ${cwd}`);
      // Others that nobody asked for any more had gone through before it: from the start.
      if (this.#entered === undefined) return this.enter(cwds);
      if (!isCompletion(reply))
        throw new DirectoryRefused(`cannot enter the directory ${quoteName(cwd)}`, reply);
      this.#entered.push(cwd);
    }
  }

  /** Whether `enter` needs no way back, or has one that is likely to work. */
  reaches(cwds: readonly string[]): boolean {
    return this.#stepsTo(cwds) !== undefined || this.#loginDirectory !== undefined;
  }

  /** Goes back to the login directory by the name that PWD gave; false when that can't be done. */
  async returnToLogin(): Promise<boolean> {
    if (this.#entered?.length === 0) return true;
    if (this.#loginDirectory === undefined) return false;
    const gone = isCompletion(await this.#request(`CWD ${this.#loginDirectory}`));
    if (gone) this.#entered = [];
    else this.#loginDirectory = undefined;
    return gone;
  }

  /** Says that a CWD took effect that nobody asked for. */
  forget(): void {
    this.#entered = undefined;
  }

  /** What is still to enter, or undefined where the way leads back first. */
  #stepsTo(cwds: readonly string[]): readonly string[] | undefined {
    const entered = this.#entered;
    const below = entered?.every((cwd, index) => cwd === cwds[index]) ?? false;
    return below ? cwds.slice(entered?.length) : undefined;
  }

  /** PWD tells the login directory only before the first CWD. */
  async #askLoginDirectory(): Promise<void> {
    if (this.#hasAsked || this.#entered?.length !== 0) return;
    const reply = await this.#request("PWD");
    this.#loginDirectory = isCompletion(reply) ? parse257(reply) : undefined;
    this.#hasAsked = true;
  }
}

/** The server's refusal of a CWD. */
export class DirectoryRefused extends ReplyError {}

/** The login directory can't be reached again; another login would begin there. */
export class NoWayBack extends NetworkFailure {
  constructor() {
    super("the server gives no way back to the login directory");
  }
}

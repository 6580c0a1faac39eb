/** A file, from what is known of it before to what is reported of it in the end. skippable-file.ts leaves it as it is. */
import { FtpullError } from "../../errors.ts";
import { folderSuffix } from "../../files/names.ts";
import { isMissing, quoteName, replyCode, TransferRefused } from "../../ftp/control/reply.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { isDemand } from "../../ftp/state.ts";
import { quoteForShell } from "../../text/escape.ts";
import { conversionFor, type Plan } from "../../url/plan.ts";
import type { Tries } from "../task-tries.ts";
import type { Result } from "../result.ts";
import { type BeginAgain, GrewDuringTransfer } from "../retry.ts";
import { type Leftover, planInside, planOver, type Task, type Upcoming } from "../task.ts";
import { retrieveFile } from "./retrieve.ts";
import { SkippableFile } from "./skippable-file.ts";

export class FileTask extends SkippableFile implements Task {
  async run(session: Session, tries: Tries, ahead: Upcoming): Promise<Result | undefined> {
    const plan = planOver(session, this.document);
    return this.fetch(session, plan, await this.locate(session, plan), tries, ahead);
  }

  async beginAgain(reason: BeginAgain): Promise<boolean> {
    const { destination } = this;
    if (reason instanceof GrewDuringTransfer) return true;
    this.outgrown = undefined;
    if (!destination.rewindable) return false;
    await (reason.keeps ? destination.keep() : destination.discard());
    // A plain file that is not the document's beginning stays until the document is whole.
    this.isAnew = true;
    return true;
  }

  async leftover(): Promise<Leftover> {
    const { size, modified } = this.facts ?? {};
    const { label } = this.destination; // while its name is reserved
    // A failure of keeping matters less than the one that led here.
    const octets = await this.destination.keep().catch(() => undefined);
    const isNumbered = label !== this.path && !this.rules.hasOwnNames;
    const numbered = isNumbered ? { url: this.document.url, file: label } : undefined;
    const { isInTree: inTree } = this.options;
    return { octets, size, modified, inTree, folder: `${label}${folderSuffix}`, numbered };
  }

  end(): void {
    this.options.ended?.();
  }

  /** In the first try, what was told exactly takes the place of SIZE's and MDTM's answers. */
  protected async locate(session: Session, plan: DocumentPlan): Promise<LocatedFile> {
    const told =
      this.facts === undefined && this.options.told?.isExact ? this.options.told : undefined;
    const file = await session.locate({ ...plan, asks: told && "nothing" });
    this.facts = told ?? file.facts;
    return { ...file, facts: this.facts };
  }

  protected async fetch(
    session: Session,
    plan: DocumentPlan,
    file: LocatedFile,
    tries: Tries,
    ahead: Upcoming,
  ): Promise<Result | undefined> {
    // Where SIZE was refused, a transfer that is cut would pass for a whole one.
    const size = this.#trustedSize(file.facts.size ?? this.options.told?.size, tries);
    const listed = { ...file, facts: { ...file.facts, size } };
    if (this.hasNoSize) this.facts = listed.facts;
    await this.verification.find(session, plan, listed);
    const skip = await this.skipKnowing(file.facts, tries);
    if (skip !== undefined) {
      await this.destination.discard(); // what an earlier try has begun
      return skip === "left out" ? undefined : skip;
    }
    try {
      await this.#retrieve(session, plan, listed, tries, ahead);
      tries.ended(true, this.verification.verified);
    } catch (error) {
      tries.ended(false);
      if (!(error instanceof TransferRefused)) throw error;
      if (error.transient) throw this.#isLasting(error) ? error.with({ transient: false }) : error;
      if (file.refusal !== undefined) throw isMissing(error) ? file.refusal : error;
      // After REST the session serves no other transfer; and what has octets here was a file.
      const mayBeDirectory = plan.action !== "retrieve" && session.usable;
      if (!mayBeDirectory || !isRefusal(error)) throw error;
      return this.listInstead(session, plan, tries, error);
    }
    return this.#done(tries);
  }

  /** Retrieves the file; a name that servers strip of blanks, or expand (`~`), again as `./NAME`. */
  async #retrieve(
    session: Session,
    plan: DocumentPlan,
    file: LocatedFile,
    tries: Tries,
    ahead: Upcoming,
  ): Promise<void> {
    const conversion = conversionFor(plan, session.state.type);
    try {
      return await retrieveFile(session, conversion, file, this, tries, ahead);
    } catch (refusal) {
      if (!isRefusal(refusal) || !/^[ ~]/.test(file.name) || !session.usable) throw refusal;
      const located = await this.locate(session, { ...plan, name: `./${plan.name}` });
      const size = located.facts.size ?? file.facts.size;
      const dotted = { ...located, facts: { ...located.facts, size } };
      try {
        return await retrieveFile(session, conversion, dotted, this, tries, ahead);
      } catch (error) {
        throw isRefusal(error) ? refusal : error;
      }
    }
  }

  #isLasting({ reply }: TransferRefused): boolean {
    return reply.code === replyCode.localError && this.options.told?.isUnreadable === true;
  }

  /** The name may be a directory's; otherwise the error is about the file (P8). */
  protected async listInstead(
    session: Session,
    plan: Plan,
    tries: Tries,
    refusal?: Error,
  ): Promise<Result | undefined> {
    const directory = planInside(plan);
    try {
      await session.enter(directory.cwds);
    } catch (error) {
      const isFinal = error instanceof FtpullError && error.kind === "refused" && !error.transient;
      if (!isFinal) throw error;
      return this.notFound(tries, error, refusal);
    }
    if (this.options.directory === undefined) {
      const hint = `list it with a URL that ends in a slash: ${quoteForShell(`${this.document.shownUrl}/`)}`;
      throw new FtpullError("refused", `${quoteName(plan.name)} is a directory`, { hint });
    }
    await this.destination.keep(); // releases the name that -c has reserved
    this.facts = undefined;
    return this.options.directory.list(session, directory);
  }

  /** The server has refused the directory too, with `error`. @throws unless that is no failure */
  protected async notFound(_: Tries, error: Error, refusal?: Error): Promise<undefined> {
    throw refusal ?? error;
  }

  /** The size, unless it is a 0 that the server repeats after it has sent octets. */
  #trustedSize(size: number | undefined, tries: Tries): number | undefined {
    if (this.outgrown?.size === 0) {
      this.outgrown = undefined; // nothing is stored of it
      this.hasNoSize = size === undefined || size === 0;
      if (this.hasNoSize) tries.say("the server says that it is empty, and sends octets");
    }
    return this.hasNoSize && size === 0 ? undefined : size;
  }

  #done({ octets, resumed }: Tries): Result {
    const { size, modified } = this.facts ?? {};
    const { checksums, verified } = this.verification;
    this.verification.conclude(this.document.shownUrl);
    return {
      url: this.document.shownUrl,
      status: "done",
      exit: 0,
      file: this.destination.label,
      octets: resumed === undefined ? size : octets, // a whole file of an earlier run isn't fetched
      resumed: resumed ?? size ?? 0,
      size,
      modified,
      sha256: checksums.find(({ algorithm }) => algorithm === "sha256")?.value,
      verified,
    };
  }
}

/** Servers refuse a name by any 5yz, except the demand for an account. */
function isRefusal(error: unknown): error is TransferRefused {
  return error instanceof TransferRefused && !error.transient && !isDemand(error.reply);
}

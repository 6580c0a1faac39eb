/** Locates a file, retrieves or lists it, and makes its result. */
import { ClosedOutput, FtpullError } from "../../errors.ts";
import { folderSuffix } from "../../files/names.ts";
import { isMissing, quoteName, replyCode, TransferRefused } from "../../ftp/control/reply.ts";
import type { DocumentPlan, Facts, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { isAccountDemand } from "../../ftp/state.ts";
import { quoteForShell } from "../../text/escape.ts";
import { conversionFor, type Plan } from "../../url/plan.ts";
import type { Tries } from "../task-tries.ts";
import type { Result } from "../result.ts";
import { type Leftover, planInside, planOver, type Skip, type Task } from "../task.ts";
import { Download } from "./download.ts";
import { refusalToEnter } from "./find-file.ts";
import { retrieveFile } from "./retrieve.ts";
import { skipByListing, skipByServer } from "./skip.ts";

export class FileTask extends Download implements Task {
  protected facts: Facts | undefined;
  #giveBack: (() => void) | undefined;

  skip(): Skip | undefined {
    this.#giveBack = this.options.claim?.();
    return skipByListing(this);
  }

  async run(session: Session, tries: Tries): Promise<Result | undefined> {
    const plan = planOver(session, this.document);
    const file = await this.locate(session, plan);
    const trusted = { ...file, facts: this.withTrustedSize(file.facts, tries) };
    this.facts = trusted.facts;
    await this.verification.find(session, plan, trusted);
    const skip = await skipByServer(this, file.facts, tries);
    if (skip !== undefined) {
      await this.destination.discard();
      return skip === "left out" ? undefined : skip;
    }
    try {
      const octetsOrSkip = await this.#retrieve(session, plan, trusted, tries);
      if (typeof octetsOrSkip !== "number") return octetsOrSkip;
      tries.ended(this.destination.label, this.verification.verified);
      return this.#done(octetsOrSkip);
    } catch (error) {
      // The program ends quietly where its reader has gone.
      if (!(error instanceof ClosedOutput)) tries.ended();
      // After REST the session serves no other transfer; and a name with stored octets was a file's.
      const mayBeDirectory = plan.action !== "retrieve" && session.usable;
      const isForFile = file.refusal !== undefined || !mayBeDirectory || !isRefusal(error);
      if (isForFile) throw this.#failureOf(error, file);
      return this.listInstead(session, plan, error);
    }
  }

  async leftover(): Promise<Leftover> {
    this.#giveBack?.();
    const { size, modified } = this.facts ?? {};
    const { label } = this.destination; // before `#keep` gives the name back
    // The error of the transfer matters more than a failure of `#keep`.
    const octets = await this.#keep().catch(() => undefined);
    const { isInTree: inTree } = this.options;
    // With --no-clobber nothing is resumed: -c -O FILE goes on with this file alone.
    const isNamed = this.#isNumbered || (this.rules.keepsExisting && !inTree);
    const numbered = isNamed ? { url: this.document.url, file: label } : undefined;
    const facts = { octets, size, modified, inTree };
    return { facts, folder: `${label}${folderSuffix}`, numbered };
  }

  end(): void {
    this.options.ended?.();
  }

  #failureOf(error: unknown, { refusal }: LocatedFile): unknown {
    if (!(error instanceof TransferRefused)) return error;
    const isLasting = error.reply.code === replyCode.localError && this.options.isUnreadable;
    if (isLasting) return error.with({ transient: false });
    return isMissing(error) ? (refusal ?? error) : error;
  }

  /** Keeps what arrived, unless a later run would replace a plain file by it that isn't known to fit. */
  async #keep(): Promise<number | undefined> {
    const { plainFile, destination } = this;
    if (plainFile === undefined || plainFile.fits) return destination.keep();
    await destination.discard();
    return undefined;
  }

  /** In the first try, facts from before the task take the place of answers. */
  protected async locate(session: Session, plan: DocumentPlan): Promise<LocatedFile> {
    const { facts: listed } = this.options;
    const asks = this.facts === undefined ? plan.asks : undefined;
    const file = await session.locate({ ...plan, asks });
    this.facts = asks === "nothing" && listed ? listed : completed(file.facts, listed?.size);
    return { ...file, facts: this.facts };
  }

  /** Retrieves the file; again as `./NAME` if servers may strip its blanks, or expand `~`. */
  async #retrieve(session: Session, plan: DocumentPlan, file: LocatedFile, tries: Tries) {
    const conversion = conversionFor(plan, session.state.type);
    try {
      return await retrieveFile(session, conversion, file, this, tries);
    } catch (refusal) {
      if (!isRefusal(refusal) || !/^[ ~]/.test(file.name) || !session.usable) throw refusal;
      const dotted = await this.locate(session, { ...plan, name: `./${plan.name}` });
      const located = { ...dotted, facts: completed(dotted.facts, file.facts.size) };
      try {
        return await retrieveFile(session, conversion, located, this, tries);
      } catch (error) {
        throw isRefusal(error) ? refusal : error;
      }
    }
  }

  /** Lists the name if it may be a directory's; otherwise the error is about the file (P8). */
  protected async listInstead(session: Session, plan: Plan, refusal?: Error) {
    const ofDirectory = await refusalToEnter(session, plan);
    if (ofDirectory !== undefined) return this.notFound(ofDirectory, refusal);
    if (this.options.directory === undefined) {
      const hint = `list it with a URL that ends in a slash: ${quoteForShell(`${this.document.shownUrl}/`)}`;
      throw new FtpullError("refused", `${quoteName(plan.name)} is a directory`, { hint });
    }
    await this.destination.keep(); // gives back the name that -c has reserved
    this.facts = undefined;
    return this.options.directory.list(session, planInside(plan), refusal);
  }

  protected async notFound(ofDirectory: Error, ofFile?: Error): Promise<Result | undefined> {
    throw ofFile ?? ofDirectory;
  }

  get #isNumbered(): boolean {
    const { hasOwnNames, sharedPath } = this.rules;
    return this.destination.label !== this.path && !hasOwnNames && sharedPath === undefined;
  }

  #done(octets: number): Result {
    const { size, modified } = this.facts ?? {};
    const { verified, sha256 } = this.verification;
    const { shownUrl: url } = this.document;
    const { label: file } = this.destination;
    this.verification.conclude(url);
    const facts = { octets, resumed: this.resumed, size, modified, sha256, verified };
    return { url, status: "done", exit: 0, file, isNumbered: this.#isNumbered, ...facts };
  }
}

/** With a size from before, if SIZE tells none: without one, a cut transfer would pass for a whole one. */
function completed(facts: Facts, size: number | undefined): Facts {
  if (facts.size !== undefined || size === undefined) return facts;
  return { ...facts, size, source: "listing" };
}

function isRefusal(error: unknown): error is TransferRefused {
  return error instanceof TransferRefused && !error.transient && !isAccountDemand(error.reply);
}

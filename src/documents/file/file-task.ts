/** Locates a file, retrieves or lists it, and makes its result. */
import { ClosedOutput, FtpullError } from "../../errors.ts";
import { isAccountDemand, isMissing, quoteName, TransferRefused } from "../../ftp/control/reply.ts";
import type { DocumentPlan, Facts, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { quoteForShell } from "../../text/escape.ts";
import { conversionFor, type Plan } from "../../url/plan.ts";
import type { Tries } from "../task-tries.ts";
import type { Result } from "../result.ts";
import { sha256Of, verifiedBy } from "../verify/verification.ts";
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
    const { shownUrl } = this.document;
    this.verification = await this.verifier.find(session, plan, file, shownUrl);
    const skip = await skipByServer(this, file.facts, tries);
    if (skip !== undefined) {
      await this.destination.discard();
      return skip === "left out" ? undefined : skip;
    }
    try {
      const conversion = conversionFor(plan, session.state.type);
      const octetsOrSkip = await retrieveFile(session, conversion, file, this, tries);
      if (typeof octetsOrSkip !== "number") return octetsOrSkip;
      tries.ended(this.destination.label, verifiedBy(this.verification));
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
    // The error of the transfer matters more than a failure to keep what arrived.
    const octets = await this.destination.keep().catch(() => undefined);
    const facts = { octets, size, modified, inTree: this.options.isInTree };
    return { facts };
  }

  end(): void {
    this.options.ended?.();
  }

  #failureOf(error: unknown, { refusal }: LocatedFile): unknown {
    if (!(error instanceof TransferRefused)) return error;
    return isMissing(error) ? (refusal ?? error) : error;
  }

  /** In the first try, facts from before the task take the place of answers. */
  protected async locate(session: Session, plan: DocumentPlan): Promise<LocatedFile> {
    const { facts: listed } = this.options;
    const asks = this.facts === undefined ? plan.asks : undefined;
    const file = await session.locate({ ...plan, asks });
    this.facts = asks === "nothing" && listed ? listed : completed(file.facts, listed?.size);
    return { ...file, facts: this.facts };
  }

  /** Lists the name if it may be a directory's; otherwise the error is about the file (P8). */
  protected async listInstead(session: Session, plan: Plan, refusal?: Error) {
    const ofDirectory = await refusalToEnter(session, plan);
    if (ofDirectory !== undefined) return this.notFound(ofDirectory, refusal);
    if (this.options.directory === undefined) {
      const hint = `list it with a URL that ends in a slash: ${quoteForShell(`${this.document.shownUrl}/`)}`;
      throw new FtpullError("refused", `${quoteName(plan.name)} is a directory`, { hint });
    }
    await this.destination.keep(); // closes what an earlier run has left
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
    const verified = verifiedBy(this.verification);
    const sha256 = sha256Of(this.verification);
    const { shownUrl: url } = this.document;
    const { label: file } = this.destination;
    const facts = { octets, resumed: this.resumed ?? 0, size, modified, sha256, verified };
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

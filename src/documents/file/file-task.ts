/** Locates a file, retrieves or lists it, and makes its result. */
import { FtpullError, hasReason } from "../../errors.ts";
import { hints } from "../../hints.ts";
import { ifPossible } from "../../files/file-error.ts";
import { isAccountDemand, isMissing, quoteName, ReplyError } from "../../ftp/control/reply.ts";
import type { DocumentPlan, Facts, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Result } from "../result.ts";
import {
  type Document,
  type Leftover,
  planInside,
  planOver,
  type Skip,
  type Task,
} from "../task.ts";
import type { Tries } from "../task-tries.ts";
import type { Download } from "./download.ts";
import { merged } from "../facts.ts";
import { refusalToEnter } from "./kind-of.ts";
import { Incoming } from "./incoming.ts";
import { retrieveFile } from "./retrieve.ts";
import { skipByListing, skipByServer } from "./skip.ts";
import { fromProxy, fromSession, type Source } from "./source.ts";

export class FileTask implements Task {
  readonly document: Document;
  readonly get: Task["get"];
  readonly #download: Download;
  readonly #file: Incoming;
  #facts: Facts | undefined;

  constructor(download: Download) {
    this.document = download.document;
    this.get = download.mayGet ? (tries) => this.#get(tries) : undefined;
    this.#download = download;
    this.#file = new Incoming(download);
  }

  skip(): Skip | undefined {
    return skipByListing(this.#file);
  }

  async run(session: Session, tries: Tries): Promise<Result | undefined> {
    const plan = planOver(session, this.document);
    const located = await this.#locate(session, plan);
    const { facts } = located;
    await this.#download.verifier.find(session, plan, located);
    const skip = await skipByServer(this.#file, facts, tries.observer);
    if (skip !== undefined) {
      this.#file.destination.discard(); // An earlier try had no facts to leave the file by.
      return skip === "left out" ? undefined : skip;
    }
    try {
      const source = fromSession(session, plan, located, this.#download, tries);
      return await this.#retrieve(source, tries);
    } catch (error) {
      if (session.usable && mayBeDirectory(plan, located, error))
        return this.#listInstead(session, plan, error);
      throw failureOf(error, located);
    }
  }

  async #get(tries: Tries): Promise<Result> {
    const { plan, shownUrl } = this.document;
    const source = fromProxy(await tries.login.get(plan), shownUrl);
    this.#facts = source.facts;
    return this.#retrieve(source, tries);
  }

  async #retrieve(source: Source, tries: Tries): Promise<Result> {
    const octets = await retrieveFile(source, this.#file, tries);
    return typeof octets === "number" ? this.#done(octets) : octets;
  }

  beginAgain(): boolean {
    return this.#file.beginAgain();
  }

  async leftover(): Promise<Leftover> {
    // The error of the transfer matters more than a failure to keep what arrived.
    const octets = ifPossible(() => this.#file.destination.keep()) ?? 0;
    const { size, modified } = this.#facts ?? {};
    return { octets, size, modified, inTree: this.#download.isInTree };
  }

  end(): void {
    this.#download.ended?.();
  }

  /** A plan that asks for nothing has exact facts of the listing: in the first try they are enough. */
  async #locate(session: Session, plan: DocumentPlan): Promise<LocatedFile> {
    const isFirst = this.#facts === undefined;
    const file = await session.locate(isFirst ? plan : { ...plan, asks: undefined });
    this.#facts = merged(this.#download.listed, file.facts);
    return { name: file.name, facts: this.#facts, refusal: file.refusal };
  }

  /** Lists the name if it may be a directory's; otherwise the error is about the file (P8). */
  async #listInstead(session: Session, plan: DocumentPlan, refusal: Error) {
    const { list } = this.#download;
    if ((await refusalToEnter(session, plan)) !== undefined) throw refusal;
    if (list === undefined) {
      const hint = hints.list(`${this.document.shownUrl}/`);
      throw new FtpullError("refused", `${quoteName(plan.name)} is a directory`, { hint });
    }
    this.#facts = undefined;
    return list(session, planInside(plan), refusal);
  }

  #done(octets: number): Result {
    const { size, modified } = this.#facts ?? {};
    const { path, rules, verifier } = this.#download;
    const { resumed = 0, destination } = this.#file;
    const { shownUrl: url } = this.document;
    const { label: file } = destination;
    const verified = verifier.conclude(url);
    const isNumbered = file !== path && rules.existing.otherwise === "number";
    const figures = { octets, resumed, size, modified, verified };
    return { url, status: "done", exit: 0, file, isNumbered, ...figures };
  }
}

/** True if the name can't be retrieved, or has no size that -c needs. */
function mayBeDirectory(
  { action }: DocumentPlan,
  { refusal, facts }: LocatedFile,
  error: unknown,
): error is FtpullError {
  if (action === "retrieve" || refusal !== undefined) return false;
  if (hasReason(error, "cannot continue")) return facts.size === undefined;
  if (!(error instanceof ReplyError) || error.reason !== "transfer refused") return false;
  return !error.transient && !isAccountDemand(error.reply);
}

function failureOf(error: unknown, { refusal }: LocatedFile): unknown {
  return hasReason(error, "transfer refused") && isMissing(error) ? (refusal ?? error) : error;
}

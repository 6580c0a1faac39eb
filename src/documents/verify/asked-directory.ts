/**
 * The checksums beside a document that belongs to no tree. The server is asked for the names of sums files by SIZE,
 * in one write. Where SIZE or pipelining is missing, the document's directory is listed, once.
 */
import { candidates, checksumFile } from "../../checksums/candidates.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { readListing } from "../listing/read-listing.ts";
import { ChecksumDirectory } from "./checksum-directory.ts";
import { isFinal } from "./sums-file.ts";

export class AskedDirectory extends ChecksumDirectory {
  #hasAskedForDirectorySums = false;
  /** True if the session ended over the questions: some servers allow few refusals. */
  #isUnanswered = false;
  #listing: Promise<void> | undefined;

  override async find(session: Session, plan: DocumentPlan, located: LocatedFile) {
    this.cwds = plan.cwds;
    const isAnswered = this.#listing === undefined && (await this.#ask(session, plan, located));
    if (!isAnswered) {
      this.#listing ??= this.#list(session, plan, located);
      await this.#listing;
    }
    return super.find(session, plan, located);
  }

  protected override sayMissing(words: string, hint: string): void {
    this.observer.infoAlways(words, hint);
  }

  /** Asks for the sums files by SIZE. False if that can't show which ones are missing, or hasn't shown it. */
  async #ask(session: Session, plan: DocumentPlan, { facts }: LocatedFile): Promise<boolean> {
    const { state, features, capabilities } = session;
    const hasSize = state.type === "I" ? facts.size !== undefined : features.has("SIZE");
    const canAsk = hasSize && capabilities.pipelining && !this.#isUnanswered;
    if (!canAsk) return false;
    try {
      return await this.#askSizes(session, plan);
    } catch (error) {
      this.#isUnanswered = true;
      throw error;
    }
  }

  async #askSizes(session: Session, plan: DocumentPlan): Promise<boolean> {
    const names = candidates(plan.name).filter(
      (name) => !this.#hasAskedForDirectorySums || checksumFile(name)?.document !== undefined,
    );
    const inImage = { ...plan, type: "I", conversion: "none", action: "retrieve" } as const;
    const plans = names.map((name) => ({ ...inImage, name, asks: "size" }) as const);
    const behind = { ...inImage, asks: "nothing" } as const;
    let index = 0;
    for await (const { facts } of session.locateAll(plans, behind)) {
      const name = names[index]!; // A reply's own name may be the whole path.
      index += 1;
      if (facts.failure !== undefined) return false;
      const sums = facts.size === undefined ? undefined : this.sumsAt(name);
      if (sums !== undefined) sums.sizes = { size: facts.size };
    }
    this.#hasAskedForDirectorySums = true;
    return true;
  }

  async #list(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<void> {
    if (located.refusal !== undefined) return; // A directory that can't be entered isn't listed.
    const entry: ListingFormatter["entry"] = (listed) => {
      this.note(listed);
      return "";
    };
    const directory = { ...plan, name: "", action: "list", type: undefined } as const;
    try {
      await readListing(session, directory, { begin: () => ({ formatter: { entry } }) });
    } catch (error) {
      if (!isFinal(error)) {
        this.#listing = undefined;
        throw error;
      }
      const words = "cannot look for checksums";
      this.observer.warning(`${formatFtpUrl(this.url)}: ${words}: ${error.message}`);
    }
  }
}

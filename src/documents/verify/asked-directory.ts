/** The checksums beside documents that belong to no tree: the server is asked for their names. */
import { candidates, checksumFile } from "../../checksums/candidates.ts";
import type { DocumentPlan, LocatedFile } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { readListing } from "../listing/read-listing.ts";
import { ChecksumDirectory } from "./checksum-directory.ts";
import { isFinal } from "./sums-file.ts";

export class AskedDirectory extends ChecksumDirectory {
  #hasAskedForLists = false;
  /** True if the session ended over the questions: some servers allow few refusals. */
  #isUnanswered = false;
  #listing: Promise<void> | undefined;

  override async find(session: Session, plan: DocumentPlan, located: LocatedFile) {
    this.cwds = plan.cwds;
    if (this.#listing !== undefined || !(await this.#hasAsked(session, plan, located))) {
      this.#listing ??= this.#list(session, plan, located).catch((error: unknown) => {
        this.#listing = undefined;
        throw error;
      });
      await this.#listing;
    }
    return super.find(session, plan, located);
  }

  /** Asks for the candidates by SIZE in one write, if refusals show which ones are missing. */
  async #hasAsked(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<boolean> {
    const { state, features, capabilities } = session;
    const isAnswered = state.type === "I" ? located.facts.size !== undefined : features.has("SIZE");
    if (!isAnswered || !capabilities.pipelining || this.#isUnanswered) return false;
    return this.#askSizes(session, plan).catch((error: unknown) => {
      this.#isUnanswered = true;
      throw error;
    });
  }

  /** False if some reply leaves open whether a file is there. */
  async #askSizes(session: Session, plan: DocumentPlan): Promise<boolean> {
    const isAsked = (name: string) =>
      !this.#hasAskedForLists || checksumFile(name)?.document !== undefined;
    const names = candidates(plan.name).filter(isAsked);
    const as = { ...plan, type: "I", conversion: "none", action: "retrieve" } as const;
    const plans = names.map((name) => ({ ...as, name, asks: "size" }) as const);
    const next = { ...as, asks: "nothing" } as const;
    let answered = 0;
    for await (const { facts } of session.locateAll(plans, next)) {
      const name = names[answered++]!; // The server may be asked for the whole path.
      if (facts.failure !== undefined) return false;
      const list = facts.size === undefined ? undefined : this.sumsAt(name);
      if (list !== undefined) list.sizes = { size: facts.size };
    }
    this.#hasAskedForLists = true;
    return true;
  }

  async #list(session: Session, plan: DocumentPlan, located: LocatedFile): Promise<void> {
    if (located.refusal !== undefined) return; // The directory can't be entered, so it isn't listed.
    const entry: ListingFormatter["entry"] = (listed) => {
      this.note(listed);
      return "";
    };
    const directory = { ...plan, name: "", action: "list", type: undefined } as const;
    try {
      await readListing(session, directory, { begin: () => ({ formatter: { entry } }) });
    } catch (error) {
      if (!isFinal(error)) throw error;
      const words = "cannot look for checksums";
      this.observer.warning(`${formatFtpUrl(this.url)}: ${words}: ${error.message}`);
    }
  }
}

/** A task: what is done for one URL, or for what a listing names. The queue and retries know no more. */
import type { DocumentPlan } from "../ftp/document-steps.ts";
import type { Session } from "../ftp/session.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";
import type { Attempt } from "./attempt.ts";
import type { Result } from "./result.ts";
import type { BeginAgain } from "./retry.ts";

/** The result of a task that needn't be done; "left out" is no result of the run. */
export type Skip = Result | "left out";

export interface Task {
  readonly document: Document;
  /** Local file that is replaced, resumed or skipped, if known: tasks for one file run in order. */
  readonly file?: string | undefined;
  /** Decides by local files and the listing, before the server is asked. @throws FtpullError "file" */
  skip?(): Skip | undefined;
  /** Runs a try. Undefined for what is no document, and for what is left out. */
  run(session: Session, attempt: Attempt): Promise<Result | undefined>;
  /** Prepares the next try, which follows at once, to begin at 0; false if that can't be done. */
  beginAgain?(reason: BeginAgain): Promise<boolean>;
  /** Called after a failure: ends the work on what arrived, and tells what stays. */
  kept?(): Promise<Kept>;
  /**
   * The tasks that follow, once this one has ended in whatever way. Not called `then`, as a task may be
   * the value of a promise.
   */
  further?(): Iterator<Task> | undefined;
  /** Called when this task and all that followed from it have ended. */
  end?(): void;
}

/** Octets that stay after a failure. */
export interface Kept extends Pick<Result, "octets" | "size" | "modified"> {
  /** Where the octets are, if any are kept. */
  readonly folder?: string | undefined;
  /** The words with which a command for its URL goes on; undefined: that of the run does. */
  readonly words?: readonly string[] | undefined;
}

/** A document or directory, as a URL of the run or an entry of a tree names it. */
export interface Document {
  readonly url: FtpUrl;
  /** The URL without its password. */
  readonly shownUrl: string;
  /** The plan, as far as it can be made without asking a server. */
  readonly plan: DocumentPlan;
  /** Makes the plan where it depends on the encoding of the server's names (S10). */
  readonly planFor?: ((isUtf8: boolean) => Plan) | undefined;
  /** Pattern for names in the directory of `url`. */
  readonly pattern?: string | undefined;
}

export function planOver(session: Session, { plan, planFor }: Document): DocumentPlan {
  return planFor?.(session.features.has("UTF8")) ?? plan;
}

/** The plan if no server has to be asked for it: only then commands are sent for it before its turn. */
export function certainPlan({ plan, planFor }: Document): DocumentPlan | undefined {
  return planFor === undefined ? plan : undefined;
}

/** The plan of a directory that `plan` leads to, by the CWDs alone. */
export function planInside(plan: Plan): Plan {
  const cwds = plan.name === "" ? plan.cwds : [...plan.cwds, plan.name];
  return { ...plan, cwds, name: "", action: "list", type: undefined };
}

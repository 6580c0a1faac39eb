/** A task: the work for one URL, or for one entry of a listing. */
import type { DocumentPlan } from "../ftp/document-steps.ts";
import type { Session } from "../ftp/session.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import type { Plan } from "../url/plan.ts";
import type { Work } from "./task-tries.ts";
import type { Result } from "./result.ts";

/** The result of a task that needn't be done; "left out" is no result of the run. */
export type Skip = Result | "left out";

export interface Task extends Work {
  readonly document: Document;
  /** Decides by local files and the listing, before the server is asked. @throws FtpullError "file" */
  skip?(): Skip | undefined;
  /** Called after a failure: ends the work on the octets that arrived. */
  leftover?(): Promise<Leftover>;
  /** The tasks that follow this one, failed or not. Not called `then`: a promise may resolve with a task. */
  further?(): Iterator<Task> | undefined;
  /** Called when this task and all that followed from it have ended. */
  end?(): void;
}

export type Leftover = Pick<Result, "octets" | "size" | "modified" | "inTree">;

export interface Document {
  readonly url: FtpUrl;
  readonly shownUrl: string;
  readonly plan: DocumentPlan;
  /** Makes the plan if it depends on the encoding of the server's names (S10). */
  readonly planFor?: ((isUtf8: boolean) => Plan) | undefined;
  /** Globs for names in the directory of `url`, and in those that match; default: none. */
  readonly patterns?: readonly string[];
}

export function planOver(session: Session, { plan, planFor }: Document): DocumentPlan {
  return planFor?.(session.features.has("UTF8")) ?? plan;
}

/** Undefined if the plan depends on a server's answer: then no commands are sent before its turn. */
export function certainPlan({ plan, planFor }: Document): DocumentPlan | undefined {
  return planFor === undefined ? plan : undefined;
}

export function planInside(plan: Plan): Plan {
  const cwds = plan.name === "" ? plan.cwds : [...plan.cwds, plan.name];
  return { ...plan, cwds, name: "", action: "list", type: undefined };
}

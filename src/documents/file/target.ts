/** What a file's task is made with. */
import type { FileFacts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Plan } from "../../url/plan.ts";
import type { Attempt } from "../attempt.ts";
import type { Result } from "../result.ts";
import type { Verification } from "../verify/verification.ts";

/** Where a file goes, and what it has to be. */
export interface Target {
  /** Its path, if that name is free. */
  readonly path: string;
  /** The path as its local name. */
  readonly name: string;
  /** As in a task. */
  readonly file: string | undefined;
  readonly verification: Verification;
}

/** What the listing of a tree says of a file. */
export interface Listed {
  /** Size and exact time, if both are known. */
  readonly facts: FileFacts | undefined;
  /** What the server may not say again. */
  readonly size: number | undefined;
  /** Called when the file has been fetched or skipped, or has failed. */
  readonly ended: () => void;
}

/** What a name may stand for in place of a file (P8). */
export interface Listable {
  /** Lists the directory of `plan`. */
  list(session: Session, plan: Plan, attempt: Attempt): Promise<Result | undefined>;
}

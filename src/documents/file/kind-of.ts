/** Asks whether a name is a file's, a directory's or nothing, without retrieving or listing it. */
import { FtpullError } from "../../errors.ts";
import { quoteName, ReplyError } from "../../ftp/control/reply.ts";
import type { DocumentPlan, Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { planInside } from "../task.ts";

export type Kind =
  | { readonly kind: "file"; readonly facts: Facts }
  | { readonly kind: "directory" }
  | { readonly kind: "nothing"; readonly refusal: FtpullError };

/** A file is shown by SIZE or, where CWD refuses the name, by MDTM; a directory by CWD. @throws FtpullError */
export async function kindOf(session: Session, plan: DocumentPlan): Promise<Kind> {
  if (plan.action === "list") {
    await session.enter(planInside(plan).cwds);
    return { kind: "directory" };
  }
  // SIZE counts the bytes of the image alone.
  const { facts } = await session.locate({ ...plan, type: "I" });
  if (facts.size !== undefined) return { kind: "file", facts };
  if (facts.failure !== undefined) throw facts.failure;
  if (plan.action === "retrieve") {
    const words = `cannot find ${quoteName(plan.name)}: SIZE shows no file`;
    return { kind: "nothing", refusal: new FtpullError("refused", words) };
  }
  const refusal = await refusalToEnter(session, plan);
  if (refusal === undefined) return { kind: "directory" };
  return facts.modified === undefined ? { kind: "nothing", refusal } : { kind: "file", facts };
}

/** The server's refusal to enter the name as a directory; undefined in the directory. */
export async function refusalToEnter(session: Session, plan: DocumentPlan) {
  try {
    await session.enter(planInside(plan).cwds);
    return undefined;
  } catch (error) {
    if (error instanceof ReplyError && error.kind === "refused" && !error.transient) return error;
    throw error;
  }
}

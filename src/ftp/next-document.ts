/** The next document's commands are sent as soon as the last octet of one has come: its 226 needn't be waited for. */
import type { DataConnection } from "./data/data-connection.ts";
import { extendedPassive } from "./data/passive.ts";
import { answerTo, goalOf, type Goal } from "./dialogue.ts";
import type { DocumentPlan } from "./document-steps.ts";
import type { SessionParts } from "./open-session.ts";

export interface Retrieval {
  readonly size?: number | undefined;
  /** The next document of the session, if it is known. */
  readonly next?: (() => DocumentPlan | undefined) | undefined;
}

export function goalsBefore(plan: DocumentPlan, { options }: SessionParts): [Goal, ...Goal[]] {
  const { active, capabilities } = options;
  if (active || capabilities.epsv === "given up") return [goalOf(plan)];
  return [goalOf(plan), answerTo(extendedPassive)];
}

export async function sendAtEnd(
  parts: SessionParts,
  data: DataConnection,
  { size, next }: Retrieval,
): Promise<void> {
  const hasEnded = await data.ended.then(
    () => true,
    () => false, // The transfer reports the failure.
  );
  // An empty file is complete before the reply to RETR, which may be a refusal.
  const isWhole = hasEnded && data.hasOctets && data.octets === size;
  const plan = isWhole && parts.control.usable ? next?.() : undefined;
  if (plan !== undefined) parts.runner.sendAhead(goalsBefore(plan, parts));
}

/**
 * From a plan to the file or directory on the server: the CWDs, and the last way when one
 * of them is refused (P1, P6, P10).
 */
import type { Plan } from "../url/plan.ts";
import { replyCode, ReplyError } from "./control/reply.ts";
import type { FileFacts, Session } from "./session.ts";

/** A file that can be retrieved from the present working directory. */
export interface LocatedFile {
  readonly name: string;
  readonly facts: FileFacts;
  /** Why the name is the whole path: the refusal of a CWD. */
  readonly refusal: ReplyError | undefined;
}

/**
 * Enters the directory of a file and asks for its facts. Where a CWD is refused with 550, the
 * whole path becomes the name: access to a directory may be denied and that to a file in it not.
 * @throws ReplyError, FtpullError "network"
 */
export async function locateFile(session: Session, plan: Plan): Promise<LocatedFile> {
  const refusal = await enterOrRefusal(session, plan.cwds);
  const name = refusal === undefined ? plan.name : wholePath(plan);
  await session.setType(plan.type ?? "I");
  return { name, refusal, facts: await session.factsOf(name) };
}

async function enterOrRefusal(
  session: Session,
  cwds: readonly string[],
): Promise<ReplyError | undefined> {
  try {
    await session.enter(cwds);
    return undefined;
  } catch (error) {
    if (!isMissing(error) || !(await session.returnToLogin())) throw error;
    return error;
  }
}

function wholePath({ cwds, name }: Plan): string {
  const segments = [...cwds, name].filter((segment) => segment !== "");
  return segments.join("/").replace(/^\/+/, "/");
}

/** Whether the server refused a name because nothing can be found or had under it. */
export function isMissing(error: unknown): error is ReplyError {
  if (!(error instanceof ReplyError) || error.transient) return false;
  return (
    error.reply.code === replyCode.fileUnavailable || error.reply.code === replyCode.nameNotAllowed
  );
}

/**
 * Enters the directory to list. Resolves with "", or with the name by which the server has
 * to be asked for it where entering it was refused.
 * @throws ReplyError when one of the cwds is refused
 */
export async function locateDirectory(
  session: Session,
  { cwds, name, type }: Plan,
): Promise<string> {
  await session.enter(cwds);
  const entered = name === "" || (await canEnter(session, [...cwds, name]));
  if (!entered) await session.enter(cwds);
  await session.setType(type);
  return entered ? "" : name;
}

async function canEnter(session: Session, cwds: readonly string[]): Promise<boolean> {
  try {
    await session.enter(cwds);
    return true;
  } catch (error) {
    if (error instanceof ReplyError && !error.transient) return false;
    throw error;
  }
}

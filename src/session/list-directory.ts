/**
 * Listing a directory: which command, and what when the server refuses it (P6, P9).
 */
import { FtpullError } from "../errors.ts";
import type { Plan } from "../url/plan.ts";
import type { Sink } from "./data-connection.ts";
import type { Completion } from "./data-transfer.ts";
import type { ListingCommand } from "./listing/parse-listing.ts";
import { locateDirectory } from "./locate.ts";
import { quoteName, ReplyError } from "./reply.ts";
import type { Session } from "./session.ts";

/** Whether names are enough, all that is known of an entry is wanted, or the lines as they come. */
export type ListingDetail = "names" | "details" | "lines";

/**
 * Lists the directory of `plan`. `sinkFor` is called with each command that is tried; what it
 * returns gets that command's data.
 * @throws ReplyError when every command is refused, FtpullError "refused" for a name that
 *   can't be entered and lists as nothing
 */
export async function listDirectory(
  session: Session,
  plan: Plan,
  detail: ListingDetail,
  sinkFor: (command: ListingCommand) => Sink,
): Promise<Completion> {
  const name = await locateDirectory(session, plan);
  let count = 0;
  const counting = (command: ListingCommand): Sink => {
    const sink = sinkFor(command);
    return (chunk) => {
      count += chunk.length;
      return sink(chunk);
    };
  };
  const completion = await tryInTurn(session, commandsFor(session, detail, name), name, counting);
  // Servers answer a listing of nothing with an empty success.
  if (name !== "" && count === 0)
    throw new FtpullError("refused", `there is no directory ${quoteName(name)}`);
  return completion;
}

/** In the order in which they are tried; MLSD alone reads every name as a name, not as options. */
function commandsFor(session: Session, detail: ListingDetail, name: string): ListingCommand[] {
  const first: ListingCommand[] = session.hasMlsd ? ["MLSD"] : [];
  if (name !== "") return name.startsWith("-") ? ["MLSD"] : [...first, "NLST"];
  return detail === "names" ? [...first, "NLST", "LIST"] : [...first, "LIST", "NLST"];
}

async function tryInTurn(
  session: Session,
  commands: readonly ListingCommand[],
  name: string,
  sinkFor: (command: ListingCommand) => Sink,
): Promise<Completion> {
  let refusal: unknown;
  for (const command of commands) {
    try {
      return await session.list(name === "" ? command : `${command} ${name}`, sinkFor(command));
    } catch (error) {
      if (!(error instanceof ReplyError) || error.transient) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

/** Lists a directory by the first command that the server takes, and whose lines can be read (P6, P9). */
import { FtpullError, hasReason } from "../../errors.ts";
import {
  isMissing,
  quoteName,
  quoteReply,
  replyCode,
  ReplyError,
  saysCut,
  saysEmpty,
} from "../../ftp/control/reply.ts";
import type { Completion } from "../../ftp/data/transfer-end.ts";
import type { Session } from "../../ftp/session.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import type { Plan } from "../../url/plan.ts";
import { ListingReader, type ListingReceiver } from "./listing-reader.ts";

/**
 * How a listing is read. With `isAll`, only `LIST -a` is sent. `refusal` is the error for a name that was no
 * file, if listing it is refused as for an empty directory: z/OS lets any name be entered. `begin` is called for
 * each command that is tried, after an earlier one brought no entries.
 */
export interface ListingSink {
  readonly isAll?: boolean;
  readonly refusal?: Error | undefined;
  begin(command: ListingCommand): ListingReceiver;
}

/**
 * Holds no listing in memory; if it breaks off, the lines received are shown. @throws FtpullError then, or if all
 * commands are refused
 */
export async function readListing(session: Session, plan: Plan, sink: ListingSink): Promise<void> {
  const name = await session.locateListing(plan);
  const list = (command: ListingCommand, mayBeUnread = false): Promise<Listed> => {
    const line = [command, sink.isAll ? "-a" : name].filter((word) => word !== "").join(" ");
    return receive(session, line, new ListingReader(command, sink.begin(command), mayBeUnread));
  };
  if (sink.isAll) return void (await list("LIST"));
  let found: WithoutEntries | undefined;
  for (const command of commandsFor(session, name)) {
    try {
      const listed = await list(command, command === "LIST");
      // Servers reply 226 to a listing of a name that does not exist.
      if (name !== "" && listed === "nothing")
        throw new FtpullError("refused", `there is no directory ${quoteName(name)}`);
      if (listed === "unread") found = "unread";
      else if (listed === "entries" || found !== "unread") return;
    } catch (error) {
      if (!(error instanceof ReplyError) || error.reason === "transfer broken off") throw error;
      if (command === "LIST" && saysEmpty(error.reply)) found = "empty";
      found ??= error;
      // After a listing 450 is lasting: NLST found no files.
      const isLasting = !(found instanceof ReplyError) && error.reply.code === replyCode.fileBusy;
      if (error.transient && !isLasting) throw error;
      if (command === "MLSD" && !isMissing(error))
        session.capabilities.learn({ isMlsdRefused: true });
    }
  }
  if (found === "unread") await list("LIST");
  else if (found !== "empty") throw found;
  else if (sink.refusal !== undefined) throw sink.refusal;
}

/**
 * What the commands have shown that brought no entries: that the lines of LIST can't be read, and are shown as they
 * are; that the directory is empty, in the words of LIST's refusal; or else the first refusal.
 */
type WithoutEntries = "unread" | "empty" | ReplyError;

function commandsFor(session: Session, name: string): ListingCommand[] {
  // LIST and NLST may read a name that begins with "-" as options.
  if (name.startsWith("-")) return ["MLSD"];
  // NLST does not tell directories from files: LIST is used for names, too.
  const others: ListingCommand[] = name === "" ? ["LIST", "NLST"] : ["NLST"];
  return hasMlsd(session) ? ["MLSD", ...others] : others;
}

export function hasMlsd({ features, capabilities }: Session): boolean {
  return !capabilities.isMlsdRefused && (features.has("MLST") || features.has("MLSD"));
}

type Listed = "entries" | "nothing" | "unread";

async function receive(session: Session, line: string, reader: ListingReader): Promise<Listed> {
  try {
    const completion = await session.list(line, (chunk) => reader.take(chunk));
    checkComplete(completion);
    if (!(await reader.end())) return "unread";
    return completion.isEmpty ? "nothing" : "entries";
  } catch (error) {
    // The run may have been interrupted because of standard output.
    if (!hasReason(error, "interrupted")) await reader.breakOff().catch(() => undefined);
    throw error;
  }
}

/** Listings have no size: only the reply, and an end that TLS confirms, make one whole. */
function checkComplete({ doubt, reply }: Completion): void {
  if (doubt !== undefined)
    throw hasReason(doubt, "data unclosed") ? doubt.with({ kind: "integrity" }) : doubt;
  if (reply === undefined || !saysCut(reply)) return;
  throw new FtpullError("integrity", `the server cut the listing: ${quoteReply(reply)}`);
}

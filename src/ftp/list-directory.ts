/** Lists a directory: which command is sent, and which one next if it is refused (P6, P9). */
import { FtpullError } from "../errors.ts";
import type { ListingCommand } from "../listing/parse-listing.ts";
import type { Plan } from "../url/plan.ts";
import {
  BrokenOff,
  isMissing,
  quoteName,
  type Reply,
  replyCode,
  ReplyError,
} from "./control/reply.ts";
import type { Completion } from "./data/transfer.ts";
import type { Session } from "./session.ts";

export interface ListingReceiver {
  take(chunk: Buffer): void | Promise<void>;
  /** Called at the end of the data. False if its lines could not be parsed: nothing was shown. */
  end(): Promise<boolean>;
}

/** A listing whose lines can't be parsed counts as a refusal, or, in the last try, is shown as it comes. */
export type Unparsable = "refused" | "shown";

export type ReceiverFor = (command: ListingCommand, unparsable: Unparsable) => ListingReceiver;

/**
 * Lists the directory of `plan`; with `isAll` by `LIST -a` alone. The result has no reply if the
 * listing was refused in words for an empty directory. @throws ReplyError if every command is
 * refused; FtpullError "refused" for an empty listing of a name that can't be entered
 */
export async function listDirectory(
  session: Session,
  plan: Plan,
  receiverFor: ReceiverFor,
  isAll = false,
): Promise<Completion> {
  const name = await session.locateListing(plan);
  if (isAll) return ask(session, "LIST -a", receiverFor("LIST", "shown"));
  const completion = await tryInTurn(session, name, receiverFor);
  // Servers reply 226 to a listing of a name that does not exist.
  if (name !== "" && completion.isEmpty)
    throw new FtpullError("refused", `there is no directory ${quoteName(name)}`);
  return completion;
}

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

type Listed = Completion & { readonly isUnread: boolean };

async function ask(session: Session, line: string, receiver: ListingReceiver): Promise<Listed> {
  const completion = await session.list(line, (chunk) => receiver.take(chunk));
  if (completion.error !== undefined) return { ...completion, isUnread: false };
  const isRead = await receiver.end();
  return { ...completion, isUnread: !isRead };
}

async function tryInTurn(
  session: Session,
  name: string,
  receiverFor: ReceiverFor,
): Promise<Completion> {
  let resultSoFar: "unparsable" | "said to be empty" | undefined;
  let refusal: unknown;
  for (const command of commandsFor(session, name)) {
    try {
      const line = name === "" ? command : `${command} ${name}`;
      const listed = await ask(session, line, receiverFor(command, "refused"));
      const isWholeAndEmpty = listed.error === undefined && listed.isEmpty;
      const isUseless = listed.isUnread || (resultSoFar === "unparsable" && isWholeAndEmpty);
      if (!isUseless) return listed;
      resultSoFar = "unparsable";
    } catch (error) {
      if (!(error instanceof ReplyError) || error instanceof BrokenOff) throw error;
      if (command === "LIST" && saysEmpty(error.reply)) resultSoFar ??= "said to be empty";
      // After a listing 450 is lasting: NLST found no files.
      const isLasting = resultSoFar !== undefined && error.reply.code === replyCode.fileBusy;
      if (error.transient && !isLasting) throw error;
      if (command === "MLSD" && !isMissing(error)) session.capabilities.isMlsdRefused = true;
      refusal ??= error;
    }
  }
  if (resultSoFar === undefined) throw refusal;
  if (resultSoFar === "unparsable") return ask(session, "LIST", receiverFor("LIST", "shown"));
  await receiverFor("NLST", "refused").end();
  return { isEmpty: true };
}

function saysEmpty({ code, lines }: Reply): boolean {
  const isUnavailable = code === replyCode.fileBusy || code === replyCode.fileUnavailable;
  return isUnavailable && nothingFound.test(lines.join(" "));
}

const nothingFound = /\bno (?:files|entries|data ?sets|members) (?:were )?found\b|\bis empty\b/i;

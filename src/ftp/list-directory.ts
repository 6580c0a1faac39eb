/** Lists a directory: which command is sent, and which one next if it is refused (P6, P9). */
import { FtpullError } from "../errors.ts";
import type { ListingCommand } from "../listing/parse-listing.ts";
import type { Plan } from "../url/plan.ts";
import { BrokenOff, quoteName, type Reply, replyCode, ReplyError } from "./control/reply.ts";
import type { Completion } from "./data/transfer.ts";
import type { Session } from "./session.ts";

/** Takes the data of one command. */
export interface ListingReceiver {
  take(chunk: Buffer): void | Promise<void>;
  /** Called at the end of the data. False if its lines could not be parsed: nothing was shown. */
  end(): Promise<boolean>;
}

/** Makes the receiver for a command; with `asItComes`, tried last, unparsable lines are shown. */
export type ReceiverFor = (command: ListingCommand, asItComes: boolean) => ListingReceiver;

/**
 * Lists the directory of `plan`. @throws ReplyError if every command is refused; FtpullError
 * "refused" if the directory can't be entered and its listing by name is empty
 */
export async function listDirectory(
  session: Session,
  plan: Plan,
  receiverFor: ReceiverFor,
): Promise<Completion> {
  const name = await session.locateListing(plan);
  // NLST does not tell directories from files: LIST is used for names, too.
  if (name === "") return tryInTurn(session, mlsdOr(session, "LIST", "NLST"), "", receiverFor);
  // LIST and NLST may read a name that begins with "-" as options.
  const commands: ListingCommand[] = name.startsWith("-") ? ["MLSD"] : mlsdOr(session, "NLST");
  const completion = await tryInTurn(session, commands, ` ${name}`, receiverFor);
  // Servers reply 226 to a listing of a name that does not exist.
  if (completion.isEmpty)
    throw new FtpullError("refused", `there is no directory ${quoteName(name)}`);
  return completion;
}

/** Lists the directory of `plan`, which can be entered, by `LIST -a` alone. @throws ReplyError */
export async function listAll(
  session: Session,
  plan: Plan,
  receiverFor: ReceiverFor,
): Promise<Completion> {
  await session.locateListing(plan);
  const receiver = receiverFor("LIST", true);
  const completion = await session.list("LIST -a", (chunk) => receiver.take(chunk));
  if (completion.completed) await receiver.end();
  return completion;
}

function mlsdOr(session: Session, ...others: ListingCommand[]): ListingCommand[] {
  return hasMlsd(session) ? ["MLSD", ...others] : others;
}

/** Whether the server supports MLSD (RFC 3659). */
export function hasMlsd({ features }: Session): boolean {
  return features.has("MLST") || features.has("MLSD");
}

async function tryInTurn(
  session: Session,
  commands: readonly ListingCommand[],
  argument: string,
  receiverFor: ReceiverFor,
): Promise<Completion> {
  let found: "lines" | "nothing" | undefined;
  const ask = async (
    command: ListingCommand,
    asItComes = false,
  ): Promise<Completion | undefined> => {
    const receiver = receiverFor(command, asItComes);
    const completion = await session.list(command + argument, (chunk) => receiver.take(chunk));
    if (!completion.completed) return completion;
    // An empty listing after one that could not be parsed counts as a refusal.
    const isUseless = completion.isEmpty && found === "lines" && !asItComes;
    return isUseless || !(await receiver.end()) ? undefined : completion;
  };
  let refusal: unknown;
  for (const command of commands) {
    try {
      const completion = await ask(command);
      if (completion !== undefined) return completion;
      found = "lines";
    } catch (error) {
      if (!(error instanceof ReplyError) || error instanceof BrokenOff) throw error;
      if (command === "LIST" && argument === "" && saysEmpty(error.reply)) found = "nothing";
      // After a listing 450 is lasting: NLST found no files.
      const isLasting = found !== undefined && error.reply.code === replyCode.fileBusy;
      if (error.transient && !isLasting) throw error;
      refusal ??= error;
    }
  }
  if (found === undefined) throw refusal;
  if (found === "lines") return (await ask("LIST", true)) ?? { completed: true };
  await receiverFor("NLST", false).end();
  return { completed: true };
}

/** Servers refuse to list an empty directory with 450 or 550. */
function saysEmpty({ code, lines }: Reply): boolean {
  const isUnavailable = code === replyCode.fileBusy || code === replyCode.fileUnavailable;
  return isUnavailable && nothingFound.test(lines.join(" "));
}

const nothingFound = /\bno (?:files|entries|data ?sets|members) (?:were )?found\b|\bis empty\b/i;

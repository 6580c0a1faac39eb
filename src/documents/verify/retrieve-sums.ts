/** Retrieves a list of checksums from a server as a stream. */
import { type ChecksumList, mostListOctets } from "../../checksums/checksum-list.ts";
import { FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import { quoteName } from "../../ftp/control/reply.ts";
import { StopReading } from "../../ftp/data/data-connection.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Observer } from "../events.ts";
import { checkWhole } from "../file/whole.ts";

const inImage = { type: "I", conversion: "none", action: "retrieve", asks: "size" } as const;

/**
 * Reads the list that `plan` names into `list`, a new one for each try; the session stays usable. @throws
 * FtpullError "integrity" for a cut, endless or contradictory list; "usage" for one without a checksum
 */
export async function retrieveSums(
  session: Session,
  plan: Pick<DocumentPlan, "cwds" | "name">,
  list: ChecksumList,
  observer: Pick<Observer, "info">,
): Promise<void> {
  const { name, facts } = await session.locate({ ...plan, ...inImage });
  if (facts.failure !== undefined) throw facts.failure;
  const isTooLong = (octets = 0): boolean => octets > mostListOctets;
  if (isTooLong(facts.size)) throw unreadable(name, tooLong());
  let octets = 0;
  const completion = await session.retrieve(name, 0, (chunk) => {
    octets += chunk.length;
    if (isTooLong(octets)) throw new StopReading();
    list.read(chunk);
  });
  if (isTooLong(octets)) throw unreadable(name, tooLong());
  try {
    const note = checkWhole({ ...completion, octets, isResumed: false, facts });
    if (note !== undefined) observer.info(note);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    throw unreadable(name, toFtpullError(error));
  }
  list.end();
}

function tooLong(): FtpullError {
  return new FtpullError("integrity", `it has more than ${mostListOctets} bytes`);
}

function unreadable(name: string, error: FtpullError): FtpullError {
  const message = `cannot read the checksums in ${quoteName(name)}: ${error.message}`;
  return error.with({ message });
}

/** Retrieves a list of checksums as a stream: only what the list keeps is held in memory. */
import { StringDecoder } from "node:string_decoder";
import type { ChecksumList } from "../../checksums/checksum-list.ts";
import { FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import { quoteName } from "../../ftp/control/reply.ts";
import { StopReading } from "../../ftp/data/data-connection.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Observer } from "../events.ts";
import { checkWhole } from "../file/whole.ts";

/** As of a list that is read from a file: a hostile server's may have no end. */
const mostOctets = 256 * 1024 * 1024;

export interface ListSource {
  readonly observer: Pick<Observer, "info">;
  /** Names are compared as octets, in latin1, or as text. */
  readonly encoding: "latin1" | "utf8";
  /** What SIZE has said already. */
  readonly size?: number | undefined;
  /** What a listing has said, which counts where SIZE is refused. */
  readonly listedSize?: number | undefined;
}

/**
 * Reads the whole of the list that `plan` names into `list`, which is to be a new one for each try. The
 * session can be used afterwards, also if the list is refused.
 * @throws FtpullError "integrity" for one that is cut, endless or contradicts itself; "usage" for one
 * without a checksum; "refused"; what broke the transfer
 */
export async function retrieveList(
  session: Session,
  plan: DocumentPlan,
  list: ChecksumList,
  { observer, encoding, size, listedSize }: ListSource,
): Promise<void> {
  const known = size === undefined ? "time" : "size and time";
  const type = { type: "I", conversion: "none", action: "retrieve" } as const;
  const { name, facts } = await session.locate({ ...plan, ...type, known });
  if (facts.failure !== undefined) throw facts.failure;
  const told = size ?? facts.size ?? listedSize;
  if ((told ?? 0) > mostOctets) throw tooLong(name);
  const reader = new Reader(list, encoding, Math.min(mostOctets, told ?? mostOctets));
  const completion = await session.retrieve(name, 0, (chunk) => reader.take(chunk), {});
  if (reader.failure !== undefined) throw reader.failure;
  if (reader.octets > mostOctets) throw tooLong(name);
  try {
    checkWhole(completion, reader.octets, told, observer);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    throw unreadable(name, toFtpullError(error)); // the caller's message names the document
  }
  reader.end();
}

class Reader {
  readonly #list: ChecksumList;
  readonly #decoder: StringDecoder;
  readonly #most: number;
  octets = 0;
  /** What the list has thrown. */
  failure: unknown;

  constructor(list: ChecksumList, encoding: ListSource["encoding"], most: number) {
    this.#list = list;
    this.#decoder = new StringDecoder(encoding);
    this.#most = most;
  }

  /** @throws StopReading, with which the session stays usable */
  take(chunk: Buffer): void {
    this.octets += chunk.length;
    if (this.octets > this.#most) throw new StopReading();
    try {
      this.#list.read(this.#decoder.write(chunk));
    } catch (error) {
      this.failure = error;
      throw new StopReading();
    }
  }

  end(): void {
    this.#list.read(this.#decoder.end());
    this.#list.end();
  }
}

function tooLong(name: string): FtpullError {
  const words = `it has more than ${mostOctets} octets`;
  return unreadable(name, new FtpullError("integrity", words));
}

function unreadable(name: string, error: FtpullError): FtpullError {
  const { kind, message, transient } = error;
  const words = `cannot read the checksums in ${quoteName(name)}: ${message}`;
  return new FtpullError(kind, words, { transient, cause: error });
}

/** A sums file on a server: it is retrieved when a document first needs it, and searched for the document's checksums. */
import { posix } from "node:path";
import type { ChecksumFile } from "../../checksums/checksum-file.ts";
import { ChecksumList, mostListOctets } from "../../checksums/checksum-list.ts";
import type { Checksum } from "../../checksums/checksum.ts";
import { FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import { quoteName } from "../../ftp/control/reply.ts";
import { StopReading } from "../../ftp/data/data-connection.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { decoderFor } from "../../text/encoding.ts";
import { encodeName } from "../../text/percent.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import { checkWhole } from "../file/whole.ts";

/** The directory of a sums file; `url` ends in a slash, and has no typecode. */
export interface SumsPlace {
  readonly url: FtpUrl;
  readonly cwds: readonly string[];
  readonly observer: Observer;
}

/** The checksums of one file, with the sums file that has them. */
export interface Listed {
  readonly checksums: readonly Checksum[];
  readonly sums: SumsFile;
}

const decode = decoderFor();

export class SumsFile {
  readonly file: ChecksumFile;
  readonly #place: SumsPlace;
  /** Resolves with undefined if the file can't be used, which was logged. */
  #content: Promise<ChecksumList | undefined> | undefined;
  /** True after a refusal for now, or a count that isn't SIZE's: the server can do so each time. */
  #hasFailed = false;

  constructor(file: ChecksumFile, place: SumsPlace) {
    this.file = file;
    this.#place = place;
  }

  get source(): string {
    const { url } = this.#place;
    const segments = [...url.segments.slice(0, -1), encodeName(this.file.name)];
    return formatFtpUrl({ ...url, segments });
  }

  get label(): string {
    return decode(this.file.name);
  }

  /**
   * Reads the file, once for all that it is for. A file for all of its directory names paths from there; one for a single document may
   * have any path. @throws what breaks the session
   */
  async search(session: Session, { cwds, name }: DocumentPlan): Promise<Listed | undefined> {
    const { file, source } = this;
    this.#content ??= this.#retrieve(session);
    const list = await this.#content;
    if (list === undefined) return undefined;
    const path = [...cwds.slice(this.#place.cwds.length), name].join("/");
    const isOwn = file.document !== undefined;
    const checksums = isOwn ? list.of(posix.basename(name)) : list.at(path);
    if (checksums.length > 0) return { checksums, sums: this };
    if (isOwn) this.#place.observer.warning(`${source}: it has no checksum of its file`);
    return undefined;
  }

  async #retrieve(session: Session): Promise<ChecksumList | undefined> {
    const { cwds, observer } = this.#place;
    const { name } = this.file;
    const list = new ChecksumList(posix.basename(name), "the list");
    try {
      await retrieveSums(session, { cwds, name }, list, observer);
      return list;
    } catch (thrown) {
      const error = toFtpullError(thrown);
      if (isFinal(thrown) || this.#hasFailed) {
        observer.warning(`${this.source}: not used to verify: ${error.message}`);
        return undefined;
      }
      this.#hasFailed = error.kind === "integrity" || error.kind === "refused";
      this.forget();
      throw error;
    }
  }

  forget(): void {
    this.#content = undefined;
  }
}

/** True if a failure is about the requested file alone, and would come again. */
export function isFinal(error: unknown): error is FtpullError {
  if (error instanceof Interrupted) return false;
  return error instanceof FtpullError && !error.transient;
}

const inImage = { type: "I", conversion: "none", action: "retrieve", asks: "size" } as const;

/**
 * Reads the list that `plan` names into `list`, a new one for each try; the session stays usable. @throws
 * FtpullError "integrity" for a cut, endless or contradictory list; "usage" for one without a checksum
 */
async function retrieveSums(
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

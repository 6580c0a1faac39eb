/** A sums file on a server: it is retrieved when a document first needs it, and searched for the document's checksums. */
import { posix } from "node:path";
import type { SumsFileName } from "../../checksums/sums-file-name.ts";
import { ChecksumList, mostListOctets } from "../../checksums/checksum-list.ts";
import { FtpullError, hasReason, toFtpullError } from "../../errors.ts";
import { quoteName } from "../../ftp/control/reply.ts";
import { enoughRead } from "../../ftp/data/data-end.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import { decoderFor } from "../../text/encoding.ts";
import { encodeName } from "../../text/percent.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Observer } from "../events.ts";
import { checkCount } from "../whole.ts";
import type { Verification } from "./verification.ts";

/** The directory of a sums file; `url` ends in a slash, and has no typecode. */
export interface SumsPlace {
  readonly url: FtpUrl;
  readonly cwds: readonly string[];
  readonly observer: Observer;
}

const decode = decoderFor();

export class SumsFile {
  readonly file: SumsFileName;
  readonly #place: SumsPlace;
  /** Resolves with undefined if the file can't be used, which was logged. */
  #content: Promise<ChecksumList | undefined> | undefined;
  /** True after a refusal for now, or a count that isn't SIZE's: the server can do so each time. */
  #hasFailed = false;

  constructor(file: SumsFileName, place: SumsPlace) {
    this.file = file;
    this.#place = place;
  }

  get source(): string {
    const { url } = this.#place;
    const segments = [...url.segments.slice(0, -1), encodeName(this.file.name)];
    return formatFtpUrl({ ...url, segments });
  }

  /**
   * Reads the file, once for all that it is for. A file for all of its directory names paths from there; one for a
   * single document may have any path. @throws what breaks the session
   */
  async search(session: Session, { cwds, name }: DocumentPlan): Promise<Verification | undefined> {
    const { file, source } = this;
    this.#content ??= this.#retrieve(session);
    const list = await this.#content;
    if (list === undefined) return undefined;
    const path = posix.join(...cwds.slice(this.#place.cwds.length), name);
    const isOwn = file.document !== undefined;
    const checksums = isOwn ? list.of(posix.basename(name)) : list.at(path);
    if (checksums.length > 0) return { checksums, source, label: decode(file.name) };
    if (isOwn) this.#place.observer.warning(`${source}: it has no checksum of its file`);
    return undefined;
  }

  async #retrieve(session: Session): Promise<ChecksumList | undefined> {
    const { cwds, observer } = this.#place;
    try {
      return await readSums(session, { cwds, name: this.file.name }, observer);
    } catch (thrown) {
      const { kind, message } = toFtpullError(thrown);
      const isOfFile = kind === "integrity" || kind === "refused";
      if (isFinal(thrown) || (this.#hasFailed && isOfFile)) {
        observer.warning(`${this.source}: not used to verify: ${message}`);
        return undefined;
      }
      this.#hasFailed ||= isOfFile;
      this.forget();
      throw thrown;
    }
  }

  forget(): void {
    this.#content = undefined;
  }
}

/** True if a failure is about the requested file alone, and would come again. */
export function isFinal(error: unknown): error is FtpullError {
  if (hasReason(error, "interrupted", "output closed")) return false;
  return error instanceof FtpullError && !error.transient;
}

const inImage = { type: "I", conversion: "none", action: "retrieve", asks: "size" } as const;

/** @throws FtpullError "integrity" for a cut, endless or contradictory list; "usage" for one without a checksum */
async function readSums(
  session: Session,
  plan: Pick<DocumentPlan, "cwds" | "name">,
  observer: Pick<Observer, "info">,
): Promise<ChecksumList> {
  const list = new ChecksumList(posix.basename(plan.name), "the list");
  const { name, facts } = await session.locate({ ...plan, ...inImage });
  if (facts.failure !== undefined) throw facts.failure;
  checkLength(facts.size);
  let octets = 0;
  const completion = await session.retrieve(name, 0, (chunk) => {
    octets += chunk.length;
    if (octets > mostListOctets) throw enoughRead();
    list.read(chunk);
  });
  checkLength(octets);
  try {
    const note = checkCount({ ...completion, octets, isResumed: false, facts });
    if (note !== undefined) observer.info(note);
  } catch (error) {
    if (hasReason(error, "interrupted")) throw error;
    const failure = toFtpullError(error);
    const message = `cannot read the checksums in ${quoteName(name)}: ${failure.message}`;
    throw failure.with({ message });
  }
  list.end();
  return list;
}

function checkLength(octets = 0): void {
  if (octets > mostListOctets)
    throw new FtpullError("integrity", `it has more than ${mostListOctets} bytes`);
}

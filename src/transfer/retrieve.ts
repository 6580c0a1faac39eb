/**
 * A file as a document: what arrives goes to the destination, and nothing is called whole
 * that isn't (DESIGN's definition: data ended, 2yz, and the count equals SIZE).
 */
import { EOL } from "node:os";
import { FtpullError } from "../errors.ts";
import type { Completion } from "../session/data-transfer.ts";
import type { LocatedFile } from "../session/locate.ts";
import type { Session } from "../session/session.ts";
import type { Plan } from "../url/plan.ts";
import { textConverter, type TextConverter } from "./convert-text.ts";
import type { DocumentProgress, Observer } from "./events.ts";
import type { Arrival, Job } from "./job.ts";

/**
 * Retrieves a located file to the job's destination.
 * @throws ReplyError when the server refuses, FtpullError "network", "integrity", "file"
 */
export async function retrieveFile(
  session: Session,
  plan: Plan,
  file: LocatedFile,
  job: Job,
  observer: Observer,
): Promise<Arrival> {
  const intake = new Intake(plan, file, job, observer);
  try {
    const completion = await session.retrieve(file.name, 0, (chunk) => intake.take(chunk));
    await intake.end();
    checkWhole(completion, intake.octets, file.facts.size, observer);
    const label = await job.destination.finish(job.keepsTime ? file.facts.modified : undefined);
    intake.close(true);
    return { label, octets: intake.octets };
  } catch (error) {
    intake.close(false);
    await job.destination.close();
    throw error;
  }
}

/** Counts, converts and stores what arrives; begins with the first octet, or with the end of nothing. */
class Intake {
  readonly #file: LocatedFile;
  readonly #job: Job;
  readonly #observer: Observer;
  readonly #converter: TextConverter | undefined;
  #progress: DocumentProgress | undefined;
  /** As received. */
  octets = 0;

  constructor(plan: Plan, file: LocatedFile, job: Job, observer: Observer) {
    this.#file = file;
    this.#job = job;
    this.#observer = observer;
    this.#converter = textConverter(plan.conversion, EOL, job.ebcdicEncoding);
  }

  take(chunk: Buffer): void | Promise<void> {
    const progress = this.#begin();
    this.octets += chunk.length;
    progress.advance(this.octets);
    const converted = this.#converter === undefined ? chunk : this.#converter.convert(chunk);
    return this.#job.destination.write(converted);
  }

  async end(): Promise<void> {
    this.#begin();
    const rest = this.#converter?.end();
    if (rest !== undefined && rest.length > 0) await this.#job.destination.write(rest);
  }

  close(whole: boolean): void {
    this.#progress?.end(whole);
  }

  #begin(): DocumentProgress {
    if (this.#progress !== undefined) return this.#progress;
    const { destination, shownUrl } = this.#job;
    const { size, modified } = this.#file.facts;
    const document = { url: shownUrl, size, modified };
    // What a converted text leaves behind is no beginning of the document.
    const unknown = { url: shownUrl, size: undefined, modified: undefined };
    destination.begin(this.#converter === undefined ? document : unknown, 0);
    this.#progress = this.#observer.begin({
      url: shownUrl,
      target: destination.label,
      size,
      offset: 0,
    });
    return this.#progress;
  }
}

function checkWhole(
  completion: Completion,
  octets: number,
  size: number | undefined,
  observer: Observer,
): void {
  if (size !== undefined && octets !== size) {
    const text = `expected ${size} octets, received ${octets}`;
    throw new FtpullError("integrity", text, { transient: true });
  }
  if (completion.completed) return;
  if (size === undefined) throw completion.error;
  observer.note(`all ${size} octets arrived, but ${completion.error.message}`);
}

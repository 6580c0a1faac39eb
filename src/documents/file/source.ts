/** Where a try gets a file's bytes: from a session by RETR, or from a proxy by GET. */
import type { Version } from "../../files/destination.ts";
import type { Completion } from "../../ftp/data/transfer-end.ts";
import type { DocumentPlan, Facts } from "../../ftp/document-steps.ts";
import type { GotFile } from "../../ftp/proxy-file.ts";
import type { Session } from "../../ftp/session.ts";
import { textConverter } from "../../text/line-ends.ts";
import { conversionFor } from "../../url/plan.ts";
import { SegmentedDownload } from "./segmented-download.ts";
import type { Tries } from "../task-tries.ts";
import type { Download } from "./download.ts";
import { exactTime, merged } from "../facts.ts";
import type { FileTry } from "./file-try.ts";
import type { RangeReceiver } from "./range-receiver.ts";

/** os.EOL has the same value, but node:os takes time to load. */
const lineEnd = process.platform === "win32" ? "\r\n" : "\n";

/** `retrieve` and `retrieveBlocks` bring the bytes as they are stored: texts are converted. */
export interface Source {
  readonly facts: Facts;
  /** The version by which the bytes can be resumed: without size and time, no run does it. */
  readonly version: Version;
  /** Why each try begins at 0. */
  readonly onlyWhole?: string | undefined;
  readonly retrieve: (offset: number, take: RangeReceiver["take"]) => Promise<Completion>;
  /** Retrieves what is missing over several connections. */
  readonly retrieveBlocks?: (attempt: FileTry) => Promise<void>;
  /** Asks for the facts once more; undefined where only a new session could tell. */
  readonly askAgain?: () => Promise<Facts | undefined>;
}

export function fromSession(
  session: Session,
  plan: DocumentPlan,
  { name, facts }: { readonly name: string; readonly facts: Facts },
  { document, listed, rules }: Download,
  tries: Tries,
): Source {
  const conversion = conversionFor(plan, session.state.type);
  const isText = conversion !== "none";
  const { shownUrl: url } = document;
  return {
    facts,
    version: isText ? { url } : { url, size: facts.size, modified: exactTime(facts) },
    onlyWhole: isText ? "a text that is converted can't be continued" : undefined,
    retrieve: async (offset, take) => {
      const next = () => tries.upcoming(session);
      const following = offset > 0 ? {} : { size: facts.size, next };
      const converter = textConverter(conversion, lineEnd, rules.ebcdicEncoding);
      const sink = converter ? (chunk: Buffer) => take(converter.convert(chunk)) : take;
      const { doubt, announced } = await session.retrieve(name, offset, sink, following);
      if (converter) await take(converter.end());
      // The number in a 150 is sure to be the file's only for an image transfer from 0.
      const isFiles = offset === 0 && session.state.type === "I";
      return { doubt, announced: isFiles ? announced : undefined };
    },
    retrieveBlocks: (attempt) =>
      new SegmentedDownload(document, attempt, tries).receive(session, name),
    askAgain: async () =>
      session.usable ? merged(listed, await session.askFacts(plan)) : undefined,
  };
}

export function fromProxy(file: GotFile, url: string): Source {
  const { size, modified } = file;
  return {
    facts: { size, modified, source: "server" },
    version: { url },
    onlyWhole: "what a proxy sends by GET can't be continued",
    retrieve: (_offset, take) => file.receive(take).then(() => ({})),
  };
}

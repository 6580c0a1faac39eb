/** --explain: each URL without its password, the commands of a session in which all goes well, and the target. */
import { join, sep } from "node:path";
import { sumsFileName } from "../checksums/sums-file-name.ts";
import type { Document } from "../documents/task.ts";
import { foresee, goalOf } from "../ftp/dialogue.ts";
import { initialState } from "../ftp/state.ts";
import { readNetrc } from "../login/netrc.ts";
import { userOf } from "../login/sources.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { decoderFor } from "../text/encoding.ts";
import { escapeControls } from "../text/escape.ts";
import { filePath, topFolder } from "./jobs/local-paths.ts";
import { isTree, requested } from "./jobs/requested.ts";
import { Outcome } from "./outcome.ts";
import { print } from "./print.ts";

export async function explainAll(settings: Settings, messages: Messages): Promise<number> {
  const outcome = new Outcome(messages, settings);
  const { documents } = await requested(settings, messages, outcome.report);
  const netrc = readNetrc(settings.netrcFile, (text) => messages.warning(text));
  const texts = Array.from(documents, (document) => {
    const target = `  target    ${escapeControls(targetOf(document, settings))}`;
    const url = { ...document.url, user: userOf(document.url, { netrc }) };
    return `${explain({ ...document, url }, settings)}\n${target}\n`;
  });
  if (texts.length > 0) await print(texts.join("\n"));
  return outcome.status;
}

function targetOf(document: Document, settings: Settings): string {
  const { url, plan } = document;
  const { outputDocument } = settings;
  if (outputDocument === "-") return "standard output";
  if (outputDocument !== undefined) return outputDocument;
  if (isTree(document, settings)) return join(topFolder(document, settings).path, sep);
  return plan.action === "list" ? "standard output" : filePath(url, plan, settings);
}

/** The URL with its patterns, and the commands. */
export function explain(document: Document, options: Partial<Settings> = {}): string {
  const decode = decoderFor(options.remoteEncoding);
  const lines = dialogue(document, options).map(
    (command) => `  ${escapeControls(decode(command)).trimEnd()}`,
  );
  return [document.shownUrl, "", ...lines, ""].join("\n");
}

function dialogue({ url, plan }: Document, options: Partial<Settings>): string[] {
  const isImplicit = url.scheme === "ftps";
  const isExplicit = url.scheme === "ftpes";
  const state = initialState({
    host: options.sendHost === false ? undefined : url.host,
    secured: isImplicit || isExplicit,
    user: url.user ?? "anonymous",
    password: "***",
    site: options.site ?? [],
  });
  const isVerified =
    options.verify && plan.action !== "list" && sumsFileName(plan.name) === undefined;
  return [
    isImplicit ? "connect, TLS" : "connect",
    ...(isExplicit ? ["AUTH TLS"] : []),
    ...foresee(state, [goalOf(plan)]).map(({ line }) => line),
    ...(isVerified ? ["MLSD"] : []),
    options.active ? "EPRT" : "EPSV",
    plan.action === "list" ? "MLSD" : `RETR ${plan.name}`,
    "QUIT",
  ];
}

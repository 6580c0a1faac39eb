/** --explain: explains each URL as the URLs are read. */
import { join, sep } from "node:path";
import { explain } from "../documents/explain.ts";
import type { Document } from "../documents/task.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { filePath, topFolder } from "./jobs/local-paths.ts";
import { hasPattern, mayGet, requested } from "./jobs/requested.ts";
import { Outcome } from "./outcome.ts";
import { print } from "./print.ts";
import { describeProxy, proxyChoice } from "./proxies.ts";

export async function explainAll(settings: Settings, messages: Messages): Promise<number> {
  const proxyFor = await proxyChoice(settings);
  const outcome = new Outcome(messages, settings);
  const { documents } = await requested(settings, messages, outcome);
  const texts = Array.from(documents, (document) => {
    const { url, plan, shownUrl } = document;
    const proxy = proxyFor(url);
    const target = targetOf(document, settings);
    const otherWay = mayGet(document, settings) ? "; by GET if it refuses CONNECT" : "";
    const way = proxy && describeProxy(proxy) + (proxy.protocol === "http" ? otherWay : "");
    return explain(url, plan, { ...settings, shownUrl, target, proxy: way });
  });
  if (texts.length > 0) await print(texts.join("\n"));
  return outcome.status;
}

function targetOf(document: Document, settings: Settings): string {
  const { url, plan } = document;
  const { outputDocument, recursive } = settings;
  if (outputDocument === "-") return "standard output";
  if (outputDocument !== undefined) return outputDocument;
  const isTree = hasPattern(document) || (recursive && plan.action !== "retrieve");
  if (isTree) return join(topFolder(document, settings).path, sep);
  return plan.action === "list" ? "standard output" : filePath(url, plan, settings);
}

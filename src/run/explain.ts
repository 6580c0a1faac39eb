/** --explain: explains each URL as the URLs are read. */
import { join, sep } from "node:path";
import { explain } from "../documents/explain.ts";
import type { Document } from "../documents/task.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { utf8Octets } from "../text/percent.ts";
import { filePath, topFolder } from "./jobs/local-paths.ts";
import { chained, checksumsAtUrl, hasPattern, requested } from "./jobs/requested.ts";
import { UrlList } from "./jobs/url-list.ts";
import { Outcome } from "./outcome.ts";
import { print } from "./print.ts";
import { describeProxy, proxyChoice } from "./proxies.ts";

export async function explainAll(settings: Settings, messages: Messages): Promise<number> {
  const proxyFor = await proxyChoice(settings);
  const lists = await UrlList.openAll(settings.inputFiles);
  const outcome = new Outcome(messages, settings);
  const common = {
    user: settings.user && utf8Octets(settings.user),
    site: settings.site.map(utf8Octets),
  };
  let separator = "";
  try {
    const checksums = checksumsAtUrl(settings, messages);
    const documents = requested({ settings, lists, messages, outcome });
    for await (const document of chained(checksums ? [checksums] : [], documents)) {
      const { url, plan } = document;
      const proxy = proxyFor(url);
      const target = document === checksums ? inMemory : targetOf(document, settings);
      const given = { ...settings, ...common, target, proxy: proxy && describeProxy(proxy) };
      await print(separator + explain(url, plan, given));
      separator = "\n";
    }
    return outcome.status;
  } finally {
    for (const list of lists) list.close();
  }
}

const inMemory = "memory: documents are compared with this list";

function targetOf(document: Document, settings: Settings): string {
  const { url, plan } = document;
  const { outputDocument, recursive } = settings;
  if (outputDocument === "-") return "standard output";
  if (outputDocument !== undefined) return outputDocument;
  const isTree = hasPattern(document) || (recursive && plan.action !== "retrieve");
  if (isTree) return join(topFolder(document, settings).path, sep);
  return plan.action === "list" ? "standard output" : filePath(url, plan, settings);
}

/** --explain: explains each URL as the URLs are read. */
import { explain } from "../documents/explain.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { utf8Octets } from "../text/percent.ts";
import { Outcome } from "./outcome.ts";
import { print } from "./print.ts";
import { describeProxy, proxyChoice } from "./proxies.ts";
import { filePath } from "./jobs/local-paths.ts";
import { chained, listAtUrl, requested } from "./jobs/requested.ts";
import { UrlList } from "./jobs/url-list.ts";

/** Resolves with the exit status. @throws FtpullError "file"; ClosedOutput */
export async function explainAll(settings: Settings, messages: Messages): Promise<number> {
  const proxyFor = await proxyChoice(settings);
  const lists = await UrlList.openAll(settings.inputFiles);
  const outcome = new Outcome(messages);
  let separator = "";
  try {
    const list = listAtUrl(settings, messages);
    const documents = requested({ settings, lists, messages, outcome });
    for await (const document of chained(list === undefined ? [] : [list], documents)) {
      const { url, plan } = document;
      const proxy = proxyFor(url);
      const isListing = plan.action === "list";
      const file = settings.outputDocument ?? filePath(url, plan, settings);
      const path = document === list ? "memory: documents are compared with it" : file;
      const text = explain(url, plan, {
        ...settings,
        user: settings.user && utf8Octets(settings.user),
        site: settings.site.map(utf8Octets),
        proxy: proxy && describeProxy(proxy),
        target: isListing && settings.outputDocument === undefined ? "standard output" : path,
      });
      await print(separator + text);
      separator = "\n";
    }
    return outcome.status;
  } finally {
    for (const list of lists) list.close();
  }
}

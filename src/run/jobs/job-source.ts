/** What the jobs of a run are made from. */
import type { QueuedJob } from "../../documents/job.ts";
import type { Report } from "../../documents/result.ts";
import type { Inventory } from "../../documents/spider/inventory.ts";
import type { Settings } from "../../options/command-line.ts";
import type { Messages } from "../../terminal/messages.ts";
import type { ExpectedChecksums } from "./expected-checksums.ts";
import type { UrlList } from "./url-list.ts";

/** Where the URLs of a run come from, and what is known of their documents. */
export interface JobSource {
  readonly settings: Settings;
  readonly lists: readonly UrlList[];
  readonly expected: ExpectedChecksums;
  readonly messages: Messages;
  readonly report: Report;
  /** Waits for a slow reader of messages and results. */
  readonly caughtUp: () => Promise<void>;
  /** Of --spider. */
  readonly inventory?: Inventory | undefined;
}

/** What decides where a file goes whose name is taken: -r is for what is below the directory that a URL names. */
export function settingsOf({ branch }: QueuedJob, settings: Settings): Settings {
  const isBelow = branch !== undefined && branch.label !== "";
  return isBelow || !settings.recursive ? settings : { ...settings, recursive: false };
}

/** Whether a document gets another name where its own is taken. */
export function getsNumber(settings: Settings): boolean {
  const { recursive, force, timestamping, noClobber } = settings;
  return !(settings.continue || recursive || force || timestamping || noClobber);
}

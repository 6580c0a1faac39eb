import type { Document } from "../../documents/task.ts";
import type { Settings } from "../../options/command-line.ts";
import { hasPattern } from "./requested.ts";

/** A proxy's GET has one file's bytes as they are: no listing, no offset, no facts before the data, no commands. */
export function mayGet(document: Document, settings: Settings): boolean {
  const { url, plan } = document;
  const { existing, recursive, segments, site, spider, verify } = settings;
  const isFile = url.scheme === "ftp" && plan.action !== "list" && !hasPattern(document);
  const comparesFacts = existing === "newer" || existing === "continue" || spider;
  const isWhole = plan.conversion === "none" && segments === 1 && site.length === 0;
  return isFile && isWhole && !comparesFacts && !recursive && !verify;
}

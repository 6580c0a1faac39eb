/** Whether the process may still open files: some of what fails for want of them doesn't say so. */
import { closeSync, openSync } from "node:fs";
import { isOutOfFiles } from "../errors.ts";

/** More than a name's look-up needs, with room for what others have opened and closed meanwhile. */
const needed = 8;

/** The system's error where the process can't open a few files more. */
export function shortageOfFiles(): Error | undefined {
  const opened: number[] = [];
  try {
    while (opened.length < needed) opened.push(openSync(process.execPath, "r"));
    return undefined;
  } catch (error) {
    return isOutOfFiles(error) ? (error as Error) : undefined;
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** How the command of a tree is to be given again, for hints. */
import type { Settings } from "../options/command-line.ts";

/** The command that goes on with a partial file. */
export function continuingCommand(settings: Settings): string {
  const change = changeToContinue(settings);
  return change === undefined ? "the same command" : `the same command with ${change}`;
}

/** What fetches the rest after an interruption. */
export function howToGoOn(settings: Settings): string {
  const change = changeToContinue(settings);
  // -f alone would fetch everything again.
  if (settings.force) return `${continuingCommand(settings)} fetches what is left`;
  const resuming = change === undefined ? "" : `, and with ${change} resumes partial files`;
  return `the same command fetches what is left${resuming}`;
}

/** Undefined where partial files are resumed anyway, or never, as with --no-clobber. */
function changeToContinue(settings: Settings): string | undefined {
  if (settings.continue || settings.noClobber) return undefined;
  return settings.force ? "-c in place of -f" : "-c";
}

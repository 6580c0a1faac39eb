/** Sources of passwords: options, environment, files, a prompt. */
import { readNetrc } from "../login/netrc.ts";
import { passwordFile } from "../login/password-file.ts";
import type { LoginSources, Question } from "../login/sources.ts";
import type { Settings } from "../options/command-line.ts";
import { isTerminal } from "../terminal/is-terminal.ts";
import type { Messages } from "../terminal/messages.ts";
import { ask, canAsk } from "../terminal/prompt.ts";

export function loginSources(
  settings: Settings,
  messages: Messages,
  signal: AbortSignal,
): LoginSources {
  const warn = (text: string): void => messages.warning(text);
  const { account, passwordFile: file } = settings;
  // A password typed for `--password-file -` would be shown: the prompt asks for it instead.
  const isTyped = file === "-" && isTerminal(0);
  return {
    account,
    passwordFile: file === undefined || isTyped ? undefined : passwordFile(file),
    askFirst: settings.askPassword || isTyped,
    environmentPassword: process.env["FTPULL_PASSWORD"],
    netrc: settings.netrcFile === "" ? [] : readNetrc(settings.netrcFile, warn),
    get ask() {
      if (settings.noInput || !canAsk()) return undefined;
      return async (question: Question) => {
        messages.suspend();
        return ask(question, signal).finally(() => messages.resume());
      };
    },
  };
}

/** A server that says yes to everything: it shows what a URL makes the program ask for. */
import { transfer } from "../../support/actions.ts";
import type { ServerOptions } from "../../support/options.ts";
import type { Step } from "../../support/script.ts";
import type { ScriptedServer } from "../../support/scripted-server.ts";
import { startServer } from "../../support/start-server.ts";

/** Every login is right, every name is a directory, and a file of four octets as well. */
export function startAgreeableServer(options: ServerOptions = {}): Promise<ScriptedServer> {
  return startServer({
    ...options,
    on: {
      USER: "331 and the password?",
      PASS: [letIn, "230 welcome"],
      CWD: "250 as you like",
      TYPE: "200 as you like",
      SIZE: "213 4",
      RETR: transfer({ content: "text" }),
      ...options.on,
    },
  });
}

/** Logs in whoever it is; for scripts that answer USER or PASS themselves. */
export const letIn: Step = ({ session }) => {
  session.loggedIn = true;
};

/** Answers the commands about directories, files and the representation type. */

import type { Handler } from "./commands.ts";
import { mlstLine, timeValue } from "./listing.ts";
import type { Exchange } from "./script.ts";
import type { Session } from "./session.ts";
import { realPathname, resolvePathname } from "./tree.ts";

export const pathCommands: Record<string, Handler> = {
  PWD: printWorkingDirectory,
  CWD: ({ argument, session }) => changeDirectory(session, argument),
  TYPE({ argument, session }) {
    if (!/^(?:[AE](?: [NTC])?|I|U|L 8)$/i.test(argument)) return "504 Type not implemented";
    session.type = argument.charAt(0).toUpperCase();
    return `200 Type is ${argument}`;
  },
  REST({ argument, session }) {
    if (!/^\d+$/.test(argument)) return "501 Not an offset";
    session.offset = Number(argument);
    return `350 Restarting at ${argument}`;
  },
  SIZE({ argument, session }) {
    const entry = session.find(argument);
    if (entry?.kind !== "file") return `550 ${argument}: no such file`;
    if (!"IL".includes(session.type)) return "550 SIZE is for image type only";
    return `213 ${entry.size}`;
  },
  MDTM({ argument, session }) {
    const entry = session.find(argument);
    if (entry?.kind !== "file") return `550 ${argument}: no such file`;
    return `213 ${timeValue(entry.modified)}`;
  },
  MLST({ argument, session }) {
    if (session.context.options.features === false) return "500 MLST not understood";
    const entry = session.find(argument);
    if (!entry) return `550 ${argument}: no such file or directory`;
    const pathname = resolvePathname(session.workingDirectory, argument);
    return `250-Listing\r\n ${mlstLine(pathname, entry)}\r\n250 End`;
  },
};

function printWorkingDirectory({ session }: Exchange): string {
  return `257 "${session.workingDirectory.replaceAll('"', '""')}" is the current directory`;
}

function changeDirectory(session: Session, argument: string): string {
  if (session.find(argument)?.kind !== "directory") return `550 ${argument}: no such directory`;
  const { options, root } = session.context;
  const entered = resolvePathname(session.workingDirectory, argument);
  session.workingDirectory = options.realPwd ? (realPathname(root, entered) ?? entered) : entered;
  return "250 Directory changed";
}

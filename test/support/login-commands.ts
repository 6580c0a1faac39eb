/** Answers the commands of the login, and those about features. */

import type { Handler } from "./commands.ts";
import type { ServerOptions } from "./options.ts";
import type { Session } from "./session.ts";

const defaultFeatures = [
  "UTF8",
  "EPSV",
  "HOST",
  "MDTM",
  "MLST type*;size*;modify*;perm*;",
  "REST STREAM",
  "SIZE",
  "TVFS",
];

export const loginCommands: Record<string, Handler> = {
  HOST: ({ session }) => (session.user ? "503 HOST comes before USER" : "220 Host accepted"),
  USER({ argument, session }) {
    session.logOut();
    session.user = argument;
    const listed = session.context.options.users?.[argument];
    return listed && listed.password === undefined
      ? askAccountOrLogIn(session)
      : "331 Password required";
  },
  PASS({ argument, session }) {
    if (session.user === undefined) return "503 USER comes first";
    const account = accountOf(session);
    if (account === undefined) return "530 Login incorrect";
    const { password = argument } = account;
    return password === argument ? askAccountOrLogIn(session) : "530 Login incorrect";
  },
  ACCT({ argument, session }) {
    if (!session.needsAccount) return "230 Account accepted";
    if (accountOf(session)?.account !== argument) return "530 Account unknown";
    return logIn(session);
  },
  REIN({ session }) {
    session.logOut();
    return "220 Ready for a new user";
  },
  async QUIT({ session }) {
    await session.reply("221 Goodbye");
    session.control.end();
    return undefined;
  },
  FEAT: ({ session }) => featureReply(session.context.options),
  OPTS({ argument, session }) {
    const { features = defaultFeatures } = session.context.options;
    if (features === false) return "501 Option not understood";
    const [option = "", value = "ON"] = argument.toUpperCase().split(" ");
    const isUtf8On = option === "UTF8" && value === "ON";
    if (isUtf8On && features.includes("UTF8")) return "200 UTF8 on";
    return option === "MLST" ? "200 MLST OPTS" : "501 Option not understood";
  },
  async AUTH({ argument, session }) {
    if (!session.context.wrapInTls) return "502 No TLS here";
    if (!/^(?:TLS|TLS-C|SSL)$/i.test(argument)) return "504 Only AUTH TLS";
    await session.control.startTls(session.context.wrapInTls, Buffer.from("234 Begin TLS\r\n"));
    return undefined;
  },
  PBSZ: () => "200 PBSZ=0",
  PROT({ argument, session }) {
    if (!session.context.wrapInTls) return "503 No TLS here";
    if (!/^[CP]$/i.test(argument)) return "536 Only PROT C and PROT P";
    session.isPrivate = argument.toUpperCase() === "P";
    return `200 PROT ${argument}`;
  },
  NOOP: () => "200 Still here",
};

interface Account {
  password?: string;
  account?: string;
}

function accountOf({ user = "", context: { options } }: Session): Account | undefined {
  const listed = options.users?.[user];
  if (listed) return listed;
  const isGuest = ["anonymous", "ftp"].includes(user.toLowerCase());
  return isGuest && options.anonymous !== false ? {} : undefined;
}

function askAccountOrLogIn(session: Session): string {
  if (accountOf(session)?.account === undefined) return logIn(session);
  session.needsAccount = true;
  return "332 Account required";
}

function logIn(session: Session): string {
  session.loggedIn = true;
  session.needsAccount = false;
  return "230 Logged in";
}

function featureReply({ features = defaultFeatures, tls }: ServerOptions): string {
  if (features === false) return "500 FEAT not understood";
  const offered = tls && !tls.implicit ? [...features, "AUTH TLS", "PBSZ", "PROT"] : features;
  return ["211-Features:", ...offered.map((feature) => ` ${feature}`), "211 End"].join("\r\n");
}

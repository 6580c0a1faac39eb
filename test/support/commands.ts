/** The commands that a good server knows, each with its answer. */

import { reply227, reply229 } from "./actions.ts";
import { openDocument } from "./document.ts";
import { loginCommands } from "./login-commands.ts";
import { pathCommands } from "./path-commands.ts";
import type { Exchange } from "./script.ts";
import { runTransfer } from "./transfer.ts";

/** Answers a command; returns the reply (octets), or undefined when it has answered itself. */
export type Handler = (exchange: Exchange) => string | undefined | Promise<string | undefined>;

export async function answer(exchange: Exchange): Promise<void> {
  const handler = handlers[exchange.verb];
  const reply = await (handler ? replyBy(handler, exchange) : "500 Command not understood");
  if (reply !== undefined) await exchange.session.reply(reply);
}

function replyBy(handler: Handler, exchange: Exchange): ReturnType<Handler> {
  const isAdmitted = exchange.session.loggedIn || commandsBeforeLogin.has(exchange.verb);
  return isAdmitted ? handler(exchange) : "530 Please log in with USER and PASS";
}

const commandsBeforeLogin = new Set(
  "GREETING HOST USER PASS ACCT AUTH PBSZ PROT FEAT OPTS NOOP REIN QUIT".split(" "),
);

const transferCommands: Record<string, Handler> = {
  async EPSV({ argument, session }) {
    if (argument.toUpperCase() === "ALL") return "200 EPSV ALL accepted";
    return reply229(await session.data.listen());
  },
  async PASV({ session }) {
    const host = session.control.tcp.localAddress ?? "";
    if (host.includes(":")) return "425 PASV is for IPv4; use EPSV";
    return reply227(await session.data.listen(), host);
  },
  EPRT({ argument, session }) {
    const [, , host, port] = argument.split(argument.charAt(0));
    if (!host || !port) return "501 Not an address";
    session.data.aim(host, Number(port));
    return "200 EPRT accepted";
  },
  PORT({ argument, session }) {
    const numbers = argument.split(",").map(Number);
    const [high = NaN, low = NaN] = numbers.slice(4);
    if (numbers.length !== 6 || numbers.some(Number.isNaN)) return "501 Not an address";
    session.data.aim(numbers.slice(0, 4).join("."), high * 256 + low);
    return "200 PORT accepted";
  },
  RETR: send,
  LIST: send,
  NLST: send,
  MLSD: (exchange) =>
    exchange.session.context.options.features === false
      ? "500 MLSD not understood"
      : send(exchange),
  ABOR: () => "226 Nothing is under way any more",
};

const handlers: Record<string, Handler> = {
  GREETING: () => "220 Service ready",
  ...loginCommands,
  ...pathCommands,
  ...transferCommands,
};

async function send(exchange: Exchange): Promise<string | undefined> {
  const document = openDocument(exchange);
  if ("refusal" in document) return document.refusal;
  await runTransfer(exchange, document.octets);
  return undefined;
}

/** Finds the command that a reply answers, where commands have shared a write. Pure. */
import type { Exchange } from "./exchange.ts";
import { isNegative, isPreliminary, replyCode, type Reply } from "./reply.ts";
import { isLogin, saysUnknown } from "./unordered-login.ts";

type Pending = readonly Exchange[];

export function answeredBy(reply: Reply, pending: Pending): Exchange | undefined {
  const [oldest, second] = pending;
  if (oldest !== undefined && canAnswer(reply, oldest, pending)) return oldest;
  return second?.command.isProbe && canAnswer(reply, second, pending) ? second : undefined;
}

function canAnswer(reply: Reply, exchange: Exchange, pending: Pending): boolean {
  const { command, first } = exchange;
  const { code, lines } = reply;
  if (isPreliminary(reply) || code === replyCode.needAccount) return true;
  if (isLogin(command) && saysUnknown(reply)) return false;
  const hasBegun = first !== undefined;
  if (isNegative(reply)) {
    // A transfer that has begun can't be refused: the refusal is another command's reply.
    const isOfAnother = hasBegun && refusalCodes.has(code) && pending.length > 1;
    return !isOfAnother;
  }
  if (command.codes.includes(code)) return command.form?.test(lines[0] ?? "") ?? true;
  return hasBegun && !exchange.mayHaveBeenRefused && isUnusualEnd(code, exchange, pending);
}

const refusalCodes = new Set([500, 501, 502, 504, 550]);

/** Servers end transfers with other 2yz, too, but with none that a command behind RETR can have. */
function isUnusualEnd(code: number, transfer: Exchange, pending: Pending): boolean {
  const others = pending.filter((exchange) => exchange !== transfer);
  return others.every(({ command }) => {
    const isForeseen = command.isProbe === true || command.line === "QUIT";
    return isForeseen && !command.codes.includes(code);
  });
}

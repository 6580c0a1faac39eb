/**
 * Logging in: USER, PASS and ACCT with every answer that RFC 959 §5.4 allows (S3-S8).
 */
import { FtpullError } from "../errors.ts";
import { sendAccount } from "./commands.ts";
import type { ControlConnection } from "./control/control-connection.ts";
import { outOfOrder } from "./control/order.ts";
import {
  isCompletion,
  parseFeatures,
  quoteName,
  quoteReply,
  replyCode,
  ReplyError,
  type Reply,
} from "./control/reply.ts";
import { demandForTls, protectData, protectionCommands } from "./control/secure-control.ts";
import type { Credentials } from "./credentials.ts";

/** Who comes, and to whom. */
export interface Introduction {
  /** Named by HOST; undefined leaves that out. */
  readonly host: string | undefined;
  readonly credentials: Credentials;
  /** Whether TLS is in use, and data connections shall have it too. */
  readonly secured: boolean;
}

/**
 * The commands that `introduce` will send when all goes well, as far as they are known
 * beforehand, followed by those for the first document.
 */
export function loginCommands(
  { host, credentials, secured }: Introduction,
  document: readonly string[],
): string[] {
  const { user, knownPassword } = credentials;
  const first = [...(host === undefined ? [] : [hostCommand(host)]), `USER ${user}`];
  if (knownPassword === undefined) return first;
  const protection = secured ? protectionCommands : [];
  const features = ["FEAT", "OPTS UTF8 ON"];
  return [...first, `PASS ${knownPassword}`, ...protection, ...features, ...document];
}

/**
 * Everything between the greeting (or TLS) and the first document: HOST, login, protection of
 * data, FEAT. Resolves with the features, none where the server doesn't know FEAT.
 * @throws FtpullError "login" when nobody can be asked, "tls" when the server wants it or can't
 *   protect data, ReplyError for another refusal, Interrupted
 */
export async function introduce(
  control: ControlConnection,
  introduction: Introduction,
): Promise<ReadonlyMap<string, string>> {
  const { host, secured } = introduction;
  const refusal = host === undefined ? undefined : await offerHost(control, host);
  try {
    await logIn(control, introduction);
  } catch (error) {
    throw refusal !== undefined && !control.usable ? refusal : error;
  }
  if (secured) await protectData(control);
  const reply = await control.request("FEAT");
  const features = isCompletion(reply) ? parseFeatures(reply) : new Map<string, string>();
  if (features.has("UTF8")) await control.request("OPTS UTF8 ON");
  return features;
}

/**
 * Names the host that the URL names (RFC 7151). Every refusal is passed over, but 501 and 504
 * become the explanation where the server closes the connection next (S2).
 */
async function offerHost(
  control: ControlConnection,
  host: string,
): Promise<ReplyError | undefined> {
  const reply = await control.request(hostCommand(host));
  const explains =
    reply.code === replyCode.syntaxError || reply.code === replyCode.parameterNotImplemented;
  if (!explains) return undefined;
  const hint = "connect without naming the host: add --no-host";
  return new ReplyError(`the server does not serve the host "${host}"`, reply, hint);
}

function hostCommand(host: string): string {
  return host.includes(":") ? `HOST [${host.replace(/%.*$/, "")}]` : `HOST ${host}`;
}

/** Logs in, asking for what the server wants; other credentials are asked for after each 530. */
async function logIn(
  control: ControlConnection,
  { credentials, secured }: Introduction,
): Promise<void> {
  let user = credentials.user;
  let password = (): Promise<string> => credentials.password();
  for (;;) {
    const reply = await present(control, credentials, user, password);
    if (isCompletion(reply)) return;
    const demand = secured ? undefined : demandForTls(reply);
    if (demand !== undefined) throw demand;
    const what = `cannot log in as ${quoteName(user)}`;
    if (reply.code !== replyCode.notLoggedIn) throw new ReplyError(what, reply);
    if (isCrowded(reply)) throw crowded(what, reply);
    const other = await credentials.retry(quoteReply(reply));
    user = other.user;
    password = () => Promise.resolve(other.password);
  }
}

/** What a server says when USER or PASS was enough (RFC 959 §5.4, RFC 2228 §3). */
const loggedIn = new Set<number>([
  replyCode.superfluous,
  replyCode.loggedIn,
  replyCode.loggedInAuthorized,
]);

/** Sends USER and what it asks for; resolves with the reply that decides. */
async function present(
  control: ControlConnection,
  credentials: Credentials,
  user: string,
  password: () => Promise<string>,
): Promise<Reply> {
  let reply = await control.request(`USER ${user}`);
  if (reply.code === replyCode.needPassword)
    reply = await control.request(`PASS ${await password()}`);
  if (!control.ahead.isEmpty && isCompletion(reply) && !loggedIn.has(reply.code))
    reply = await lateRefusal(control, reply);
  if (reply.code === replyCode.needAccount) reply = await sendAccount(control, credentials, reply);
  return reply;
}

/**
 * `early` is the answer to what was sent behind PASS: pyftpdlib delays its refusal of a password,
 * and answers that first. Resolves with the refusal.
 * @throws FtpullError "network" where it isn't the last reply, or others show a login
 */
async function lateRefusal(control: ControlConnection, early: Reply): Promise<Reply> {
  const replies = await control.ahead.overtake(early);
  const isLogin = ({ code }: Reply): boolean =>
    loggedIn.has(code) || code === replyCode.needAccount;
  const last = replies.at(-1) ?? early;
  if (last.code !== replyCode.notLoggedIn || replies.some(isLogin))
    throw outOfOrder(control, early, "to the login");
  control.ahead.answered();
  return last;
}

/** 530 is also what servers say when they are full; then other credentials don't help, but time does. */
function isCrowded(reply: Reply): boolean {
  return /too many|maximum|limit|try (?:again )?later|busy|full/i.test(reply.lines.join(" "));
}

function crowded(what: string, reply: Reply): FtpullError {
  return new FtpullError("refused", `${what}: ${quoteReply(reply)}`, { transient: true });
}

/** Waits for the greeting (S1): any 2yz, also after 120. @throws ReplyError for anything else */
export async function readGreeting(control: ControlConnection): Promise<void> {
  const reply = await control.completion();
  if (!isCompletion(reply)) throw new ReplyError("the server refuses service", reply);
}

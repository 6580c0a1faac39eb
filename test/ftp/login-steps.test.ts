import { expect, test } from "vitest";
import { networkError } from "../../src/errors.ts";
import { parseReply } from "../../src/ftp/control/reply.ts";
import { login, next } from "../../src/ftp/dialogue.ts";
import { explainedByHost, hostFailure, refusesHost } from "../../src/ftp/host-steps.ts";
import { reinitializeCommand } from "../../src/ftp/login-steps.ts";
import { isCommand, type State } from "../../src/ftp/state.ts";
import { rowsOf } from "../support/rows.ts";
import { follow, foreseenLines, jane, ready, talk, type Replies } from "./support/talk.ts";

const features = ["FEAT", "OPTS UTF8 ON"];

const told = "HOST h; USER jane; PASS secret";
const done = "FEAT; OPTS UTF8 ON";

/** A claim, a dialogue, and the failure that it ends in. */
const rows = rowsOf(`
S2 HOST that wants an account | HOST h (532 account); USER jane; PASS secret; ${done}
S7 530 and 430 until the credentials are right | ${told} (530 no); ? joe wrong; USER joe; PASS wrong (430 no); ? ann right; USER ann; PASS right; ${done}
a server that is full is no wrong password | ${told} (530 too many users) | cannot log in as "jane": server replied 530 "too many users"
another refusal is final | HOST h; USER jane (550 no) | cannot log in as "jane": server replied 550 "no"
331 to PASS is no login | ${told} (331 again) | cannot log in as "jane": server replied 331 "again"
a demand for TLS | HOST h; USER jane (530 must use encryption) | the server wants TLS: server replied 530 "must use encryption"
S8 332 to USER | HOST h; USER jane (332 account?); ? sales; ACCT sales; ${done}
S8 532 to PASS, and accounts until one is right | ${told} (532 account?); ? no; ACCT no (530 no); ? sales; ACCT sales; ${done}
S8 532 to FEAT is a refusal | ${told}; FEAT (532 account?)
`);

test.each(rows)("%s", (_claim, dialogue = "", end = "reached") => {
  expect(follow(jane(), login, dialogue).end).toBe(end);
});

const secured = rowsOf(`
a demand for TLS is a refusal | ${told} (530 TLS?) | ask other credentials
data is protected | ${told}; PBSZ 0 (500 what?); PROT P; ${done}
PROT refused | ${told}; PBSZ 0; PROT P (534 no) | the server does not encrypt data connections: server replied 534 "no"
`);

test.each(secured)("over TLS: %s", (_claim, dialogue = "", end = "reached") => {
  expect(follow(jane({ secured: true }), login, dialogue).end).toBe(end);
});

/** The failure that a login ends in. */
function failureOf(setup: Partial<State>, replies: Replies): unknown {
  const step = next(talk(jane(setup), login, replies).state, login);
  return step !== undefined && "fail" in step ? step.fail : step;
}

test.each([
  "too many users",
  "maximum reached",
  "limit of 5",
  "try later",
  "try again later",
  "busy",
  "full",
])("530 %s is a refusal for now", (words) => {
  const failure = failureOf({}, { PASS: `530 ${words}` });
  expect(failure).toMatchObject({ kind: "refused", transient: true });
});

test.each([
  "Login incorrect. Use your full e-mail address as user name.",
  "Login incorrect. Please read the instructions carefully.",
  "Access is limited to members.",
  "Maximum login attempts exceeded",
])("530 %s is a refusal of the credentials", (words) => {
  expect(failureOf({}, { PASS: `530 ${words}` })).toMatchObject({ ask: "other credentials" });
});

test.each(["TLS", "SSL", "encryption", "Cleartext", "clear-text"])("a word for TLS: %s", (word) => {
  const hint = "ask for TLS with --tls, or by ftpes: in place of ftp:";
  expect(failureOf({}, { USER: `421 no ${word}` })).toMatchObject({ kind: "tls", hint });
});

test.each([
  ["534 no", "tls", false],
  ["431 no", "tls", true],
  ["421 bye", "refused", true],
])("PROT answered %s is a failure of kind %s, transient: %s", (reply, kind, transient) => {
  expect(failureOf({ secured: true }, { PROT: reply })).toMatchObject({ kind, transient });
});

test("230 to PASS doesn't log in where USER was refused", () => {
  const { state } = talk(jane(), login, { USER: "530 no" });
  const pass = next({ ...state, stage: "password", refusal: undefined }, login);
  if (!isCommand(pass)) throw new Error("PASS comes next");
  expect(pass.effect(state, parseReply("230 in"))).toBe(state);
});

const closed = networkError("closed");
const after = (reply: string, setup: Partial<State> = {}): State =>
  jane({ hostReply: parseReply(reply), ...setup });

test("S2 a close after USER was answered isn't HOST's matter, also before another USER", () => {
  const { state } = talk(jane(), login, { PASS: "530 no" });
  const again: State = { ...state, stage: "user", refusal: undefined };
  expect(explainedByHost(closed, again)).toBe(closed);
});

test.each<[reply: string, setup: Partial<State>, isRefused: boolean]>([
  ["220 yes", {}, false],
  ["500 what?", {}, true],
  ["450 busy", {}, false],
  ["504 no", {}, false],
  ["504 no", { isUserAnswered: true }, true],
])("S2 after %s to HOST, with %j, it is sent no more: %s", (reply, setup, isRefused) => {
  expect(refusesHost(after(reply, setup))).toBe(isRefused);
});

test.each([
  ["220 yes", undefined],
  ["504 no", undefined],
  ["450 busy", expect.objectContaining({ transient: true })],
])("S2 %s to HOST is a failed try: %s", (reply, failure) => {
  expect(hostFailure(after(reply))).toEqual(failure);
});

test("S2 an IPv6 address stands in brackets, and has no zone", () => {
  expect(foreseenLines(jane({ host: "fe80::1%lo" }), login)[0]).toBe("HOST [fe80::1]");
});

test("M2 REIN leads back to the login", () => {
  const before = talk(jane(), login, { HOST: "220 yes" }).state;
  const state = reinitializeCommand.effect(before, parseReply("220 again"));
  expect(talk(state, login).lines).toEqual(["HOST h", "USER jane", "PASS secret", ...features]);
  expect(reinitializeCommand.effect(ready, parseReply("502 no"))).toBe(ready);
});

test("the account of a session that is over is sent no more", () => {
  const wanting = talk(jane(), login, { PASS: "332 account?" }).state;
  const state = talk(wanting, login, { ACCT: ["421 bye", "230 in"] }, ["sales"]);
  expect(state.lines).toEqual(["ACCT sales", "ACCT sales", ...features]);
});

import { afterAll, describe, expect, test, vi } from "vitest";
import type { Credentials } from "../../src/ftp/credentials.ts";
import { hints } from "../../src/hints.ts";
import { credentialsFor } from "../../src/login/login.ts";
import { parseNetrc } from "../../src/login/netrc.ts";
import type { LoginSources, Question } from "../../src/login/sources.ts";
import { conceal } from "../../src/text/secrets.ts";
import { type FtpUrl, parseFtpUrl } from "../../src/url/ftp-url.ts";

// The process conceals the secrets of these tests from then on: other tests get modules of their own.
afterAll(() => void vi.resetModules());

const refusal = 'server replied 530 "Login incorrect"';

function url(user?: string, password?: string, host = "h"): FtpUrl {
  return { ...parseFtpUrl(`ftp://${host}/`), user, password };
}

function loginTo(from: FtpUrl, given: Partial<LoginSources>): Promise<Credentials> {
  return credentialsFor(from, { netrc: [], ...given });
}

/** A person with these answers, who remembers the questions. */
function person(...answers: (string | Error)[]) {
  const questions: Question[] = [];
  const ask = async (question: Question): Promise<string> => {
    questions.push(question);
    const answer = answers.shift() ?? new Error("no answer left");
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ask, questions };
}

async function first(from: FtpUrl, given: Partial<LoginSources>) {
  const { user, knownPassword } = await loginTo(from, given);
  return { user, password: knownPassword };
}

/** The server has refused what the login has now. */
const refuse = (login: Credentials) => login.retry(refusal);

describe("the order of the sources", () => {
  const all = {
    passwordFile: () => Promise.resolve("file"),
    environmentPassword: "environment",
    netrc: parseNetrc("machine h login netrc password netrc machine h login jane password netrc"),
  };
  const { passwordFile: _file, ...withoutFile } = all;
  const { environmentPassword: _environment, ...netrcOnly } = withoutFile;

  test.each([
    ["the URL's password", url("jane", "url"), all, "jane", "url"],
    ["the URL's empty password", url("jane", ""), all, "jane", ""],
    ["--password-file", url("jane"), all, "jane", "file"],
    ["FTPULL_PASSWORD", url("jane"), withoutFile, "jane", "environment"],
    ["netrc, by the login", url("jane"), netrcOnly, "jane", "netrc"],
    [
      "FTPULL_PASSWORD without a line end",
      url("jane"),
      { environmentPassword: " pass\tword \r\n" },
      "jane",
      " pass\tword ",
    ],
    ["a line end is none", url("jane"), { environmentPassword: "\n" }, "jane", undefined],
    ["the user of netrc", url(), netrcOnly, "netrc", "netrc"],
    ["nothing for an unknown user", url("bob"), netrcOnly, "bob", undefined],
    ["an empty user is a user (U5)", url(""), all, "", "file"],
    ["text becomes octets", url("j"), { environmentPassword: "ü" }, "j", "Ã¼"],
  ])("%s", async (_claim, from, given, user, password) => {
    expect(await first(from, given)).toEqual({ user, password });
  });

  test("an anonymous login gets a made-up address and no other source (S5, X2)", async () => {
    const never = (): never => {
      throw new Error("asked for");
    };
    const given = { ...all, passwordFile: never, ask: never, askFirst: true };
    for (const user of ["anonymous", "ANONYMOUS"]) {
      expect(await first(url(user), given)).toEqual({ user, password: "ftpull@example.com" });
    }
    for (const entry of [
      "default login anonymous password secret",
      "default password secret account a",
      "machine h password secret account a default login jane",
    ]) {
      const anonymous = { ...given, netrc: parseNetrc(entry), ask: undefined };
      const login = await loginTo(url(), anonymous);
      expect([login.user, login.knownPassword]).toEqual(["anonymous", "ftpull@example.com"]);
      await expect(login.account('server replied 332 "?"', undefined)).rejects.toThrow(
        "no account",
      );
    }
  });

  test("netrc's default entry names the user of a host without an entry", async () => {
    const netrc = parseNetrc("machine other login bob default login jane password secret");
    const jane = { user: "jane", password: "secret" };
    expect(await first(url(), { netrc })).toEqual(jane);
    expect(await first(url("jane"), { netrc })).toEqual(jane);
    expect((await first(url(undefined, undefined, "other"), { netrc })).user).toBe("bob");
    expect(await first(url("bob"), { netrc })).toEqual({ user: "bob", password: undefined });
    expect((await first(url("anonymous"), { netrc })).password).toBe("ftpull@example.com");
  });

  test("--ask-password asks before anything is connected, and comes before the environment", async () => {
    const { ask, questions } = person("typed");
    const given = { ...netrcOnly, environmentPassword: "environment", askFirst: true, ask };
    expect(await first(url("jane"), given)).toEqual({ user: "jane", password: "typed" });
    expect(questions).toEqual([{ kind: "password", message: "Password for jane at h" }]);
  });
});

describe("a password that is missing (S4)", () => {
  test("is asked for once", async () => {
    const { ask, questions } = person("");
    const login = await loginTo(url("jane"), { ask });
    expect([await login.password(), await login.password()]).toEqual(["", ""]);
    expect(questions.map(({ message }) => message)).toEqual(["Password for jane at h"]);
  });

  test("is concealed once it was typed: a server may repeat it (X2)", async () => {
    await (await loginTo(url("jane"), person("typed password"))).password();
    expect(conceal('230 jane, "typed password"')).toBe('230 jane, "***"');
  });
});

describe("530 (S7)", () => {
  const notice = `cannot log in as "jane": ${refusal}`;

  test("asks for the password again and again, with the server's words, and shows no user's question", async () => {
    const { ask, questions } = person("wrong", "wrong too", "right");
    const login = await loginTo(url("jane"), { ask });
    expect(await login.password()).toBe("wrong");
    expect(await refuse(login)).toEqual({ user: "jane", password: "wrong too" });
    expect(await refuse(login)).toEqual({ user: "jane", password: "right" });
    expect([login.user, login.knownPassword]).toEqual(["jane", "right"]);
    const message = "Password for jane at h (leave it empty to give another user)";
    expect(questions[1]).toEqual({ kind: "password", message, notice });
    expect(questions.map(({ kind }) => kind)).toEqual(["password", "password", "password"]);
  });

  test("asks for another user when the password is left empty", async () => {
    const { ask, questions } = person("", "bob", "", "", "eve", "right");
    const login = await loginTo(url("jane"), { ask, environmentPassword: "wrong" });
    // Behind a user that was asked for, an empty password is one.
    expect(await refuse(login)).toEqual({ user: "bob", password: "" });
    expect(await refuse(login)).toEqual({ user: "eve", password: "right" });
    expect(questions.map(({ message }) => message)).toEqual([
      "Password for jane at h (leave it empty to give another user)",
      "User at h [jane]",
      "Password for bob at h",
      "Password for bob at h (leave it empty to give another user)",
      "User at h [bob]",
      "Password for eve at h",
    ]);
    expect(questions[1]).toEqual({ kind: "text", message: "User at h [jane]" });
  });

  test("an anonymous login has no password of its own: the user is asked for at once", async () => {
    const { ask, questions } = person("bob", "right");
    expect(await refuse(await loginTo(url(), { ask }))).toEqual({
      user: "bob",
      password: "right",
    });
    const words = `cannot log in as "anonymous": ${refusal}`;
    const user = { kind: "text", message: "User at h [anonymous]", notice: words };
    expect(questions[0]).toEqual(user);
  });

  test("keeps the octets of a user that isn't UTF-8 when nothing else is typed", async () => {
    const login = await loginTo(url("jan\xe9", "x"), person("", "", "p"));
    expect((await refuse(login)).user).toBe("jan\xe9");
  });

  test.each(["jane", undefined])("fails where nobody can be asked: %s", async (user) => {
    await expect(refuse(await loginTo(url(user), {}))).rejects.toMatchObject({
      kind: "login",
      message: `cannot log in as "${user ?? "anonymous"}": ${refusal}`,
      hint: hints.login,
    });
  });

  test.each([
    ["the URL", "jane", "wrong", {}],
    ["the password file", "jane", undefined, { passwordFile: () => Promise.resolve("wrong") }],
    ["FTPULL_PASSWORD", "jane", undefined, { environmentPassword: "wrong" }],
    ["netrc", "jane", undefined, { netrc: parseNetrc("machine h login jane password wrong") }],
  ])("names the password's source: %s", async (source, user, password, given) => {
    await expect(refuse(await loginTo(url(user, password), given))).rejects.toMatchObject({
      kind: "login",
      message: `cannot log in as "jane" with the password from ${source}: ${refusal}`,
      hint: undefined,
    });
  });
});

describe("an account (S8)", () => {
  const wanted = 'server replied 332 "Need account"';
  const refused = 'server replied 530 "No such account"';
  const netrc = parseNetrc("machine h login jane password p account ledger");
  const byDefault = parseNetrc("default login jane password p account cash");
  const ofGuests = parseNetrc("machine h login anonymous password p account guests");

  test.each([
    ["--account", "jane", { account: "option", netrc }, "option"],
    ["netrc", "jane", { netrc }, "ledger"],
    ["a person", "jane", { ask: person("typed").ask }, "typed"],
    ["--account, for every login", undefined, { account: "option" }, "option"],
    ["netrc's default entry, of its own login", undefined, { netrc: byDefault }, "cash"],
    ["netrc, of a login that is anonymous", "anonymous", { netrc: ofGuests }, "guests"],
  ])("comes from %s", async (_source, user, given, account) => {
    const login = await loginTo(url(user), given);
    expect(await login.account(wanted, undefined)).toBe(account);
    expect(await login.account('server replied 532 "Again"', undefined)).toBe(account);
  });

  test.each(["bob", "anonymous"])("of netrc's login goes with no other: %s", async (user) => {
    const login = await loginTo(url(user, "x"), { netrc: [...netrc, ...byDefault] });
    await expect(login.account(wanted, undefined)).rejects.toThrow("no account");
  });

  test("of a user isn't that of another one whom a person gives", async () => {
    const login = await loginTo(url("jane"), { netrc, ...person("", "bob", "p") });
    await refuse(login);
    await expect(login.account(wanted, undefined)).rejects.toThrow("no answer left");
  });

  test("is asked for when the last one was refused, and the answer is kept", async () => {
    const { ask, questions } = person("wrong", "right");
    const login = await loginTo(url("jane"), { ask, account: "option" });
    expect(await login.account(wanted, undefined)).toBe("option");
    expect(await login.account(refused, "option")).toBe("wrong");
    expect(await login.account(refused, "option")).toBe("wrong");
    expect(await login.account(refused, "wrong")).toBe("right");
    expect(await login.account(wanted, undefined)).toBe("right");
    const message = "Account for jane at h";
    expect(questions[0]).toEqual({ kind: "password", message, notice: refused });
  });
});

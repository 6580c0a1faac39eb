import { afterAll, describe, expect, test, vi } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { credentialsFor } from "../../src/login/credential-order.ts";
import type { CredentialSources, Question } from "../../src/login/credential-sources.ts";
import { parseNetrc } from "../../src/login/netrc.ts";
import { conceal } from "../../src/text/secrets.ts";
import type { FtpUrl } from "../../src/url/ftp-url.ts";

// The process conceals the secrets of these tests from then on: other tests get modules of their own.
afterAll(() => void vi.resetModules());

const staysOpen = (): Promise<boolean> => Promise.resolve(false);
const hangsUp = (): Promise<boolean> => Promise.resolve(true);

const refusal = 'server replied 530 "Login incorrect"';

function url(user?: string, password?: string, host = "h"): FtpUrl {
  const rest = { segments: [""], typecode: undefined, fragment: undefined, warnings: [] };
  return { scheme: "ftp", user, password, host, port: 21, ...rest };
}

function sources(given: Partial<CredentialSources>): CredentialSources {
  return { netrc: [], logins: new Map(), accounts: new Map(), ...given };
}

/** A person with these answers, who remembers the questions. */
function person(...answers: string[]) {
  const questions: Question[] = [];
  const ask = (question: Question): Promise<string> => {
    questions.push(question);
    const answer = answers.shift();
    return answer === undefined
      ? Promise.reject(new Error("no answer left"))
      : Promise.resolve(answer);
  };
  return { ask, questions };
}

async function first(from: FtpUrl, given: Partial<CredentialSources>) {
  const credentials = await credentialsFor(from, sources(given));
  return { user: credentials.user, password: credentials.knownPassword };
}

describe("the order of the sources", () => {
  const all = {
    user: "option",
    passwordFile: () => Promise.resolve("file"),
    environmentPassword: "environment",
    netrc: parseNetrc("machine h login netrc password netrc machine h login jane password netrc"),
  };
  const { passwordFile: _file, ...withoutFile } = all;
  const { environmentPassword: _environment, ...netrcOnly } = withoutFile;
  const { user: _user, ...netrcUser } = netrcOnly;

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
    ["--user where the URL has none", url(), all, "option", "file"],
    ["--user, and no netrc entry of another login", url(), netrcOnly, "option", undefined],
    ["the user of netrc", url(), netrcUser, "netrc", "netrc"],
    ["nothing for an unknown user", url("bob"), netrcOnly, "bob", undefined],
    ["an empty variable is none", url("jane"), { environmentPassword: "" }, "jane", undefined],
    ["an empty user is a user (U5)", url(""), all, "", "file"],
    ["text becomes octets", url(), { user: "jané", environmentPassword: "ü" }, "janÃ©", "Ã¼"],
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
      "default login jane password secret account a",
    ]) {
      const user = entry.includes("default login jane password") ? "anonymous" : undefined;
      const anonymous = { ...given, user, netrc: parseNetrc(entry) };
      const expected = { user: "anonymous", password: "ftpull@example.com" };
      expect(await first(url(), anonymous), entry).toEqual(expected);
      const asked = sources({ ...anonymous, ask: undefined });
      const credentials = await credentialsFor(url(), asked);
      await expect(credentials.account('server replied 332 "?"', false, staysOpen)).rejects.toThrow(
        "no account",
      );
    }
  });

  test("the URL's own password goes to an anonymous login", async () => {
    expect(await first(url("anonymous", "me"), all)).toEqual({ user: "anonymous", password: "me" });
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
  test("is asked for, once for all URLs of a server, also at the same time", async () => {
    const { ask, questions } = person("", "other");
    const shared = sources({ ask });
    const [one, two] = await Promise.all([
      credentialsFor(url("jane"), shared),
      credentialsFor(url("jane"), shared),
    ]);
    expect(await Promise.all([one.password(), two.password()])).toEqual(["", ""]);
    expect((await credentialsFor(url("jane"), shared)).knownPassword).toBe("");
    expect(await (await credentialsFor(url("jane", undefined, "h2"), shared)).password()).toBe(
      "other",
    );
    expect(questions.map(({ message }) => message)).toEqual([
      "Password for jane at h",
      "Password for jane at h2",
    ]);
  });

  test.each([
    ["FTPULL_PASSWORD is set, but empty", { environmentPassword: "" }],
    ["FTPULL_PASSWORD is set, but empty", { environmentPassword: "\n" }],
    ["there is no terminal to ask on", { askFirst: true, environmentPassword: "" }],
  ])("is missing since %s", async (why, given) => {
    const password = async () => (await credentialsFor(url("jane"), sources(given))).password();
    await expect(password()).rejects.toMatchObject({ message: `no password for "jane": ${why}` });
  });

  test("is concealed once it was typed: a server may repeat it (X2)", async () => {
    const { ask } = person("typed password");
    await (await credentialsFor(url("jane"), sources({ ask }))).password();
    expect(conceal('230 jane, "typed password"')).toBe('230 jane, "***"');
  });

  test("is asked for again after an interrupted question", async () => {
    const interrupted = new Interrupted("SIGINT");
    const answers = [() => Promise.reject(interrupted), () => Promise.resolve("typed")];
    const shared = sources({ ask: () => answers.shift()?.() ?? Promise.resolve("") });
    const credentials = await credentialsFor(url("jane"), shared);
    await expect(credentials.password()).rejects.toBe(interrupted);
    expect(await credentials.password()).toBe("typed");
  });

  test("is asked for by the next session after an interrupted question", async () => {
    const interrupted = new Interrupted("SIGINT");
    const shared = sources({ ask: () => Promise.reject(interrupted) });
    await expect((await credentialsFor(url("jane"), shared)).password()).rejects.toBe(interrupted);
    const next = await credentialsFor(url("jane"), { ...shared, ask: person("typed").ask });
    expect(await next.password()).toBe("typed");
  });
});

describe("530 (S7)", () => {
  const notice = `cannot log in as "jane": ${refusal}`;

  test("asks for the password again and again, with the server's words, and shows no user's question", async () => {
    const { ask, questions } = person("wrong", "wrong too", "right");
    const credentials = await credentialsFor(url("jane"), sources({ ask }));
    expect(await credentials.password()).toBe("wrong");
    expect(await credentials.retry(refusal, staysOpen)).toEqual({
      user: "jane",
      password: "wrong too",
    });
    expect(await credentials.retry(refusal, staysOpen)).toEqual({
      user: "jane",
      password: "right",
    });
    expect([credentials.user, credentials.knownPassword]).toEqual(["jane", "right"]);
    const message = "Password for jane at h (leave it empty to give another user)";
    expect(questions[1]).toEqual({ kind: "password", message, notice });
    expect(questions.map(({ kind }) => kind)).toEqual(["password", "password", "password"]);
  });

  test("asks for another user when the password is left empty", async () => {
    const { ask, questions } = person("", "bob", "", "", "eve", "right");
    const shared = sources({ ask, environmentPassword: "wrong" });
    const credentials = await credentialsFor(url("jane"), shared);
    // Behind a user that was asked for, an empty password is one.
    expect(await credentials.retry(refusal, staysOpen)).toEqual({ user: "bob", password: "" });
    expect(await credentials.retry(refusal, staysOpen)).toEqual({ user: "eve", password: "right" });
    expect(questions.map(({ message }) => message)).toEqual([
      "Password for jane at h (leave it empty to give another user)",
      "User at h",
      "Password for bob at h",
      "Password for bob at h (leave it empty to give another user)",
      "User at h",
      "Password for eve at h",
    ]);
    expect(questions[1]).toEqual({ kind: "text", message: "User at h", initial: "jane" });
  });

  test("an anonymous login has no password of its own: the user is asked for at once", async () => {
    const { ask, questions } = person("bob", "right");
    const credentials = await credentialsFor(url(), sources({ ask }));
    expect(await credentials.retry(refusal, staysOpen)).toEqual({ user: "bob", password: "right" });
    const words = `cannot log in as "anonymous": ${refusal}`;
    const user = { kind: "text", message: "User at h", initial: "anonymous", notice: words };
    expect(questions[0]).toEqual(user);
  });

  test("what was answered serves the next URL, and a session that was refused the same", async () => {
    const { ask, questions } = person("", "bob", "right");
    const shared = sources({ ask, environmentPassword: "wrong" });
    const one = await credentialsFor(url("jane"), shared);
    const two = await credentialsFor(url("jane"), shared);
    const login = { user: "bob", password: "right" };
    expect(
      await Promise.all([one.retry(refusal, staysOpen), two.retry(refusal, staysOpen)]),
    ).toEqual([login, login]);
    expect((await credentialsFor(url("jane"), shared)).user).toBe("bob");
    expect((await credentialsFor(url("jane", "mine"), shared)).user).toBe("jane");
    expect(questions).toHaveLength(3);
  });

  test("keeps the octets of a user that isn't UTF-8 and is taken as shown", async () => {
    const { ask } = person("", "jan%E9", "p");
    const credentials = await credentialsFor(url("jan\xe9", "x"), sources({ ask }));
    expect((await credentials.retry(refusal, staysOpen)).user).toBe("jan\xe9");
  });

  test.each([
    ["jane", "give the password with"],
    [undefined, "name a user with --user, and give the password with"],
  ])("fails with the server's words where no question can be asked (%s)", async (user, hint) => {
    const credentials = await credentialsFor(url(user), sources({}));
    await expect(credentials.retry(refusal, staysOpen)).rejects.toMatchObject({
      kind: "login",
      message: `cannot log in as "${user ?? "anonymous"}": ${refusal}`,
      hint: `${hint} --password-file, FTPULL_PASSWORD or --netrc-file`,
    });
  });
});

test("after 530 there is no question, if the server hangs up", async () => {
  const { ask, questions } = person("wrong");
  const credentials = await credentialsFor(url("jane"), sources({ ask }));
  expect(await credentials.password()).toBe("wrong");
  await expect(credentials.retry(refusal, hangsUp)).rejects.toMatchObject({
    kind: "login",
    message: `cannot log in as "jane": ${refusal}`,
    hint: "the server refused the login with the password from the terminal: check user and password",
  });
  expect(questions).toHaveLength(1);
});

test.each([
  ["the URL", "wrong", {}],
  ["the password file", undefined, { passwordFile: () => Promise.resolve("wrong") }],
  ["FTPULL_PASSWORD", undefined, { environmentPassword: "wrong" }],
  ["netrc", undefined, { netrc: parseNetrc("machine h login jane password wrong") }],
])("after 530 the hint names the password's source: %s", async (source, password, given) => {
  const credentials = await credentialsFor(url("jane", password), sources(given));
  const hint = `the server refused the login with the password from ${source}: check user and password`;
  await expect(credentials.retry(refusal, staysOpen)).rejects.toMatchObject({
    kind: "login",
    hint,
  });
});

test.each([
  ["where the URL has no user", undefined, {}, /; --no-netrc logs in anonymously$/],
  ["not where the URL has one", "jane", {}, /\w(?<!anonymously)$/],
  ["not where --user has one", undefined, { user: "jane" }, /\w(?<!anonymously)$/],
])("after 530 for netrc's user the hint has --no-netrc %s", async (_claim, user, given, words) => {
  for (const secret of ["", " password wrong"]) {
    const netrc = parseNetrc(`machine h login jane${secret}`);
    const credentials = await credentialsFor(url(user), sources({ netrc, ...given }));
    const hint: unknown = expect.stringMatching(words);
    await expect(credentials.retry(refusal, staysOpen)).rejects.toMatchObject({ hint });
  }
});

describe("an account (S8)", () => {
  const wanted = 'server replied 332 "Need account"';
  const refused = 'server replied 530 "No such account"';
  const netrc = parseNetrc("machine h login jane password p account ledger");
  const byDefault = parseNetrc("default login jane password p account cash");
  const ofGuests = parseNetrc("machine h login anonymous password p account guests");

  test.each([
    ["--account", { account: "option", netrc }, "option"],
    ["netrc", { netrc }, "ledger"],
    ["a person", { ask: person("typed").ask }, "typed"],
  ])("comes from %s", async (_source, given, account) => {
    const credentials = await credentialsFor(url("jane"), sources(given));
    expect(await credentials.account(wanted, false, staysOpen)).toBe(account);
    expect(await credentials.account('server replied 532 "Again"', false, staysOpen)).toBe(account);
  });

  test.each([
    ["--account, for every login", undefined, { account: "option" }, "option"],
    ["netrc's default entry, of its own login", undefined, { netrc: byDefault }, "cash"],
    ["netrc, of a login that is anonymous", "anonymous", { netrc: ofGuests }, "guests"],
  ])("comes from %s", async (_source, user, given, account) => {
    const credentials = await credentialsFor(url(user), sources(given));
    expect(await credentials.account(wanted, false, staysOpen)).toBe(account);
  });

  test.each(["bob", "anonymous"])("of netrc's login goes with no other: %s", async (user) => {
    const entries = [...netrc, ...byDefault];
    const credentials = await credentialsFor(url(user, "x"), sources({ netrc: entries }));
    await expect(credentials.account(wanted, false, staysOpen)).rejects.toThrow("no account");
  });

  test("is asked for when the last one was refused, and the answer is kept", async () => {
    const { ask, questions } = person("wrong", "right");
    const shared = sources({ ask, account: "option" });
    const credentials = await credentialsFor(url("jane"), shared);
    expect(await credentials.account(wanted, false, staysOpen)).toBe("option");
    expect(await credentials.account(refused, true, staysOpen)).toBe("wrong");
    expect(await credentials.account(refused, true, staysOpen)).toBe("right");
    expect(
      await (await credentialsFor(url("jane"), shared)).account(wanted, false, staysOpen),
    ).toBe("right");
    const message = "Account for jane at h";
    expect(questions[0]).toEqual({ kind: "password", message, notice: refused });
  });

  test("is not asked for after a refusal, if the server hangs up", async () => {
    const { ask, questions } = person("right");
    const given = sources({ ask, account: "option" });
    const credentials = await credentialsFor(url("jane"), given);
    const failure = `no account for "jane": ${refused}`;
    await expect(credentials.account(refused, true, hangsUp)).rejects.toThrow(failure);
    expect(questions).toEqual([]);
  });

  test("is concealed once it was typed: a server may repeat it (X2)", async () => {
    const { ask } = person("typed account");
    await (await credentialsFor(url("jane"), sources({ ask }))).account(wanted, false, staysOpen);
    expect(conceal('230 "typed account" is yours')).toBe('230 "***" is yours');
  });
});

/** X1 to X4: what a URL or a server must not be able to do. */
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { passive, proceed, reply227, stall, transfer } from "../support/actions.ts";
import type { Action, Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { startAgreeableServer } from "./support/agreeable-server.ts";
import { fetchFrom, filesIn, ftpull, redirectedTo } from "./support/client.ts";
import { anonymousLogin, expectCommands, retrieval, visits } from "./support/dialogue.ts";

describe("the port of another protocol", () => {
  it("X1 is refused, and --allow-port permits that very port", async () => {
    const server = await startAgreeableServer();
    const words = ["--allow-port", "25", "ftp://h:25/x", "ftp://h:110/x"];
    const { status, stderr } = await ftpull(words, { env: redirectedTo(server.port) });
    expect(visits(server)).toHaveLength(1);
    expect(stderr).toContain("ftpull: ftp://h:110/x: port 110 belongs to another protocol");
    expect(stderr).toContain("hint: permit it with --allow-port 110");
    expect(status).toBe(2);
  });
});

/** Repeats in its reply what the client has just sent, as some servers do. */
function echo(code: number): Step {
  return ({ verb, argument, session }) =>
    session.reply(`${code} ${verb} "${argument}" [${argument}]`);
}

describe("a password", () => {
  const secret = "s3cr3t/pw";
  const login = { user: "jane", password: secret };
  const encoded = encodeURIComponent(secret);

  it.each<[claim: string, on: Record<string, Action>]>([
    ["X2 when all goes well", {}],
    ["X2 when the server repeats it", { PASS: [proceed, echo(530)] }],
    ["X2 when the server refuses with another code", { PASS: echo(550) }],
    ["X2 when a transfer fails", { RETR: transfer({ first: 1, completion: "451 no" }) }],
    ["X2 when the server repeats it as it leaves", { PASS: echo(421) }],
  ])("%s: it is in no text, with --verbose", async (_claim, on) => {
    const server = await startServer({ files: { x: "text" }, users: { jane: login }, on });
    const { stdout, stderr, cwd } = await ftpull(["-v", server.url("/x", login)]);
    expect(server.commands).toContain(`PASS ${secret}`);
    expectNowhere([secret, encoded], [stdout, stderr, JSON.stringify(filesIn(cwd))]);
    expect(stderr).toContain("> PASS ***");
  });

  it("X2 one that can't be the argument of a command isn't sent, and isn't shown", async () => {
    const server = await startServer({ users: { jane: { password: "pw", account: "sales" } } });
    const netrc = "machine 127.0.0.1 login jane password pw account s3\0cr3t\n";
    const cwd = await temporaryDirectory();
    writeFileSync(join(cwd, "netrc"), netrc, { mode: 0o600 });
    const url = server.url("/", { user: "jane" });
    const { status, stderr } = await ftpull(["-v", "--netrc-file", "netrc", url], { cwd });
    expect(server.commands.join("\n")).not.toContain("ACCT");
    expect(stderr).toContain(`${url}: the argument of ACCT holds CR, LF or NUL\n`);
    expectNowhere(["cr3t"], [stderr]);
    expect(status).toBe(1);
  });

  it("X2 is not in what a broken transfer leaves", async () => {
    const files = { x: { size: 200_000, seed: 1 } };
    const server = await startServer({ files, users: { jane: login } });
    server.on("RETR", transfer({ first: 100_000, end: "reset", completion: "426 cut" }));
    const { cwd } = await ftpull([server.url("/x", login)]);
    const left = filesIn(cwd);
    expect(Object.keys(left)).toEqual(["x.ftpull", "x.ftpull.json"]);
    expectNowhere([secret, encoded], [JSON.stringify(left)]);
  });
});

function expectNowhere(secrets: readonly string[], texts: readonly string[]): void {
  for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
}

describe("a data address that isn't the server's", () => {
  const naming = (host: string): Record<string, Action> => ({
    EPSV: "502 no",
    PASV: passive((port) => reply227(port, host)),
  });

  it.each<[claim: string, on: Record<string, Action>, asked: string[]]>([
    ["of PASV", naming("192.0.2.12"), ["EPSV", "PASV"]],
    ["of EPSV", { EPSV: passive((port) => `229 here (|1|192.0.2.12|${port}|)`) }, ["EPSV"]],
  ])("X3 %s is not used: the control connection's is", async (_claim, on, asked) => {
    const { server, status, cwd } = await fetchFrom({ files: { x: "text" }, on }, "/x");
    const [type, size, time, , retrieve] = retrieval("x");
    expectCommands(server, ...anonymousLogin, type!, size!, time!, ...asked, retrieve!, "QUIT");
    expect([status, filesIn(cwd)]).toEqual([0, { x: "text" }]);
  });
});

describe("a data port of another protocol", () => {
  const refused = (port: number): string =>
    `the server named port ${port} for data, which belongs to another protocol\n` +
    `hint: permit it with --allow-port ${port}\n`;

  it.each<[on: Record<string, Action>, port: number]>([
    [{ EPSV: "229 (|||25|)", PASV: "227 (127,0,0,1,0,25)" }, 25],
    [{ EPSV: "229 (|||1023|)", PASV: "227 (127,0,0,1,3,255)" }, 1023],
    [{ EPSV: "502 no", PASV: "227 (127,0,0,1,0,22)" }, 22],
    [{ EPSV: "502 no", PASV: "229 (|||22|)" }, 22],
  ])("X1 %j is refused", async (on, port) => {
    const { server, status, stderr } = await fetchFrom({ files: { x: "text" }, on }, "/x", ["-q"]);
    expect([status, server.sent("RETR")], stderr).toEqual([7, []]);
    expect(stderr).toContain(refused(port));
  });

  it("X1 of EPSV's reply leads to PASV", async () => {
    const on = { EPSV: "229 (|||25|)" };
    const { server, status, cwd } = await fetchFrom({ files: { x: "text" }, on }, "/x");
    expect([status, filesIn(cwd)]).toEqual([0, { x: "text" }]);
    expect(server.sent("PASV")).toHaveLength(1);
  });

  it.each([
    [[], 20],
    [[], 989],
    [[], 990],
    [["--allow-port", "25"], 25],
  ])("X1 with %j port %i isn't refused", async (words, port) => {
    const on = { EPSV: "502 no", PASV: `227 (127,0,0,1,${port >> 8},${port & 255})` };
    const given = { files: { x: "text" }, on: { ...on, RETR: stall } };
    const { stderr } = await fetchFrom(given, "/x", ["-q", ...words]);
    expect(stderr).toContain(`cannot open a data connection to port ${port}`);
  });
});

/** Colours and titles, a C1 control, a bidi override, a zero-width space; octets as UTF-8. */
const nasty = "\x1b[31mred\x1b]0;title\x07\u009b2J\u202egpj.\u200bx\b";

describe("what a server says", () => {
  it.each<[claim: string, words: string[], on: Record<string, Action>]>([
    ["in a refusal", [], { RETR: `550 ${nasty}` }],
    ["in a greeting", ["-v"], { greeting: `220-${nasty}\r\n220 ${nasty}` }],
    ["instead of a greeting", ["-v"], { greeting: `hello ${nasty}` }],
    ["to TYPE", [], { TYPE: `504 ${nasty}` }],
    ["to USER", [], { USER: `530 ${nasty}` }],
    ["in FEAT", ["-v"], { FEAT: `211-${nasty}\r\n ${nasty}\r\n211 end` }],
  ])("X4 %s reaches no terminal as a control sequence", async (_claim, words, on) => {
    const { stdout, stderr } = await fetchFrom({ files: { x: "text" }, on }, "/x;type=e", words);
    expectHarmless(stdout + stderr);
    expect(stderr).toContain("\\x1b[31mred");
  });
});

/** Everything but line ends that could steer a terminal or hide text is written out. */
function expectHarmless(text: string): void {
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
}

describe("the name of a file", () => {
  it.each([
    ["..%2Fx", "x"],
    ["%2Fetc%2Fx", "x"],
    ["n%1B[31m%C2%9B%E2%80%AEe", "n%1B[31m%C2%9B%E2%80%AEe"],
  ])("X4 %s is saved as %s, inside the chosen directory", async (segment, name) => {
    const server = await startAgreeableServer();
    const cwd = join(await temporaryDirectory(), "deep");
    const { status, stderr } = await ftpull(["-P", cwd, server.url(`/${segment};type=i`)]);
    expect(filesIn(cwd)).toEqual({ [name]: "text" });
    expect(readdirSync(dirname(cwd))).toEqual(["deep"]);
    expectHarmless(stderr);
    expect(status).toBe(0);
  });
});

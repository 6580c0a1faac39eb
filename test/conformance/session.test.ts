/** S1 to S12: from the greeting to QUIT. */
import { describe, expect, it } from "vitest";
import { hints } from "../../src/hints.ts";
import { close, proceed, stall, transfer } from "../support/actions.ts";
import { folderWith } from "../support/folder-with.ts";
import type { ServerOptions } from "../support/options.ts";
import type { Action, Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { letIn } from "./support/agreeable-server.ts";
import { fetchFrom, filesIn, ftpull, isPipelining } from "./support/client.ts";
import {
  ahead,
  anonymous,
  anonymousLogin,
  credentials,
  expectAfterLogin,
  expectCommands,
  features,
  featuresWithoutUtf8,
  login,
  retrieval,
  type Script,
  visits,
} from "./support/dialogue.ts";

const files = { x: "text", "pub/x": "text" };
const users = { jane: { password: "secret" } };
const jane = { user: "jane", password: "secret" };
const wrong = { user: "jane", password: "no" };

describe("the greeting", () => {
  it.each<[claim: string, greeting: Action]>([
    ["S1 any other 2yz", "200 Hi, man!"],
    ["S1 one of several lines", "220-welcome\r\n  220 isn't the end here\r\n220 ready"],
    ["S1 120 means wait for it", ["120 in a moment", proceed]],
    ["S1 text before and behind it", "ld.so: no such library\r\n220 ready\r\nWelcome!\r\n  220"],
  ])("%s", async (_claim, greeting) => {
    const { server, status } = await fetchFrom({ files, on: { greeting } }, "/x");
    expect(server.transcript()).toMatch(/^(?:(?:S\d?|-)> .*\n)+C\d?> HOST/);
    expectAfterLogin(server, ...retrieval("x"));
    expect(status).toBe(0);
  });

  it.each<[claim: string, greeting: Action, sent: Script, words: string, status: number]>([
    ["S1 421 ends the try", "421 too many users", [], '421 "too many users"', 8],
    ["S1 S12 5yz ends the try, with QUIT", "530 go away", ["QUIT"], '530 "go away"', 8],
    ["S1 421 after 120", ["120 wait", "421 no"], [], 'server replied 421 "no"', 8],
    ["S1 3yz is no greeting", "331 password?", ["QUIT"], 'server replied 331 "password?"', 7],
    ["S1 another protocol's", "SSH-2.0-x", [], `the server doesn't speak FTP: "SSH-2.0-x"`, 7],
    ["S1 none at all", close, [], "the server closed the control connection", 4],
  ])("%s", async (_claim, greeting, sent, words, exitStatus) => {
    const { server, status, stderr } = await fetchFrom({ on: { greeting } }, "/x");
    expect(stderr).toContain(words);
    expectCommands(server, ...sent);
    expect(status).toBe(exitStatus);
  });
});

it.runIf(isPipelining)(
  "S1 a connection that is never greeted keeps no file waiting while another session is idle",
  async () => {
    const names = ["v", "w", "x", "y", "z"];
    const files = Object.fromEntries(names.map((name) => [name, name]));
    const server = await startServer({ files, on: { "greeting#2": stall } });
    const urls = names.map((name) => server.url(`/${name}`));
    const { status, stderr, cwd, elapsedMs } = await ftpull(["-q", "-j", "2", ...urls]);
    expect([status, filesIn(cwd)], stderr).toEqual([0, files]);
    expect(elapsedMs).toBeLessThan(20_000); // the time of a silence is 30 s
  },
);

describe("HOST", () => {
  it.each(["501 bad host", "504 unknown host"])("S2 %s and a close end the run", async (reply) => {
    const on = { HOST: [reply, close] };
    const { server, status, stderr } = await fetchFrom({ on }, "/x");
    const words = `the server does not serve the host "127.0.0.1": server replied ${reply.slice(0, 3)}`;
    expect(stderr).toContain(`/x: ${words} "`);
    expect(stderr).toContain("\nhint: --no-host connects without naming the host\n");
    // The first close may come from several commands in one write.
    expect(visits(server)).toHaveLength(isPipelining ? 2 : 1);
    expect(status).toBe(8);
  });

  it.skipIf(!isPipelining)("S2 504 and a close at several commands: one at a time", async () => {
    const on = { "HOST#1": ["504 unknown host", close] };
    const { server, status, stderr } = await fetchFrom({ files, on }, "/x", ["-q"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(visits(server).at(-1)?.commands).toContain("RETR x");
  });

  it("S2 --no-host leaves it out", async () => {
    const { server } = await fetchFrom({ files }, "/x", ["--no-host"]);
    expectCommands(server, ...anonymousLogin.slice(1), ...retrieval("x"), "QUIT");
  });
});

describe("user and password", () => {
  it.each<[claim: string, words: string[], env: Record<string, string>]>([
    ["S4 a password from a file", ["--password-file", "password"], {}],
    ["S4 from the environment", [], { FTPULL_PASSWORD: "secret" }],
    ["S4 from netrc", ["--netrc-file", "netrc"], {}],
  ])("%s", async (_claim, words, env) => {
    const netrc = "machine 127.0.0.1 login jane password secret\n";
    const cwd = await folderWith({ password: "secret\n", netrc });
    const settings = { cwd, env, login: { user: "jane" } };
    const { server, status } = await fetchFrom({ files, users }, "/x", words, settings);
    expectCommands(server, ...login("jane", "secret"), ...retrieval("x"), "QUIT");
    expect(status).toBe(0);
  });

  it.each(["jane", ""])("S4 U5 nobody to ask for %j: QUIT, and a hint that helps", async (user) => {
    const settings = { login: { user } };
    const { server, status, stderr } = await fetchFrom({ users }, "/x", [], settings);
    expectCommands(server, "HOST 127.0.0.1", `USER ${user}`, "QUIT");
    expect(stderr).toContain(`/x: no password for "${user}"\nhint: ${hints.login}\n`);
    expect(status).toBe(6);
  });

  it.each<[claim: string, user: { user: string } | undefined]>([
    ["S5 no user is anonymous", undefined],
    ["S5 a user called anonymous is the same", { user: "anonymous" }],
  ])("%s, and no password of anybody's goes there", async (_claim, user) => {
    const named = user === undefined ? "" : "login jane";
    const netrc = `default ${named} password secret account secret\n`;
    const cwd = await folderWith({ password: "secret\n", netrc });
    const words = ["--password-file", "password", "--netrc-file", "netrc"];
    const settings = { cwd, env: { FTPULL_PASSWORD: "secret" }, ...(user && { login: user }) };
    const { server, status } = await fetchFrom({ files }, "/x", words, settings);
    expectAfterLogin(server, ...retrieval("x"));
    expect(status).toBe(0);
  });

  it("U4 the last @ before the path ends the userinfo, with a warning", async () => {
    const login = { user: "me@mail.example", password: "p@q" };
    const server = await startServer({ files, users: { [login.user]: login } });
    const { stderr } = await ftpull([`ftp://me@mail.example:p@q@127.0.0.1:${server.port}/x`]);
    expectCommands(
      server,
      ...credentials(login.user, "p@q"),
      ...features,
      ...retrieval("x"),
      "QUIT",
    );
    expect(stderr).toContain("write %40");
    expect(stderr).not.toContain("p@q");
  });

  it("S6 a PASS that went out with USER does no harm where USER is answered 230", async () => {
    const given = { files, users: { anonymous: {} }, on: { PASS: "503 you are in already" } };
    const { server, status } = await fetchFrom(given, "/x");
    const sent: Script = ["HOST 127.0.0.1", "USER anonymous", ...ahead("PASS ftpull@example.com")];
    expectCommands(server, ...sent, ...features, ...retrieval("x"), "QUIT");
    expect(status).toBe(0);
  });

  it("S3 a password in clear text isn't sent to a server that wants TLS", async () => {
    const on = { USER: "530 Non-anonymous sessions must use encryption." };
    const { server, status } = await fetchFrom({ files, users, on }, "/x", [], { login: jane });
    expectCommands(server, "HOST 127.0.0.1", "USER jane", "QUIT");
    expect(status).toBe(5);
  });

  it("S7 an anonymous login that is refused before other replies is asked again alone", async () => {
    const { server, status, stderr } = await fetchFrom({ anonymous: false }, "/x", ["-q"]);
    expect(stderr).toContain('cannot log in as "anonymous": server replied 530');
    const refused = ["USER anonymous", "PASS ftpull@example.com"];
    const all = isPipelining ? [...refused, "FEAT", ...refused] : refused;
    expect(server.sent("USER", "PASS", "FEAT")).toEqual(all);
    expect(status).toBe(6);
  });

  it.each<[command: string, words: string[], sent: string[], failure: string]>([
    ["PASS", [], ["PASS secret"], '"jane" with the password from the URL: REPLY'],
    ["ACCT", ["--account", "sales"], ["PASS secret", "ACCT sales"], '"jane": REPLYhint: '],
  ])("S7 530 to %s and a close: no other try", async (command, words, sent, failure) => {
    const on = { PASS: "332 account?", [command]: ["530 not you", close] };
    const settings = { tries: 3, login: jane };
    const { server, status, stderr } = await fetchFrom({ files, users, on }, "/x", words, settings);
    expect(stderr).toContain(failure.replace("REPLY", 'server replied 530 "not you"\n'));
    expect(stderr).not.toContain("--no-host");
    expect(server.sent("PASS", "ACCT")).toEqual(sent);
    expect(status).toBe(6);
  });
});

/** Sets the image type; for a script that answers TYPE itself. */
const image: Step = ({ session }) => {
  session.type = "I";
};

describe("replies in other forms", () => {
  it.each<[claim: string, on: Record<string, Action>]>([
    ["text behind a login", { PASS: [letIn, "230 in\r\nLast login: today from h"] }],
    ["a warning before 150", { RETR: transfer({ preliminary: "553-x\r\n150 here" }) }],
  ])("%s", async (_claim, on) => {
    const { server, status, stderr, cwd } = await fetchFrom({ files, on }, "/x", ["-q"]);
    expect([status, stderr, filesIn(cwd)]).toEqual([0, "", { x: "text" }]);
    expectAfterLogin(server, ...retrieval("x"));
  });

  const withoutReply = { preliminary: "150 here (4 bytes).\r\n226 done", completion: [] };

  it.each<[claim: string, on: Record<string, Action>]>([
    ["200 to USER is a login", { USER: [letIn, "200 fine, proceed without password"] }],
    ["226 to TYPE", { TYPE: [image, "226 Kind of on the positive side!"] }],
    ["150 and 226 in one packet", { RETR: transfer(withoutReply) }],
    ["226 without 150 behind its bytes", { RETR: transfer({ preliminary: [] }), SIZE: "550 no" }],
  ])("the file comes in spite of %s", async (_claim, on) => {
    const { status, stderr, cwd } = await fetchFrom({ files, on }, "/x", ["-q"]);
    expect([status, filesIn(cwd)], stderr).toEqual([0, { x: "text" }]);
  });

  it.each(["USER", "PASS", "CWD", "TYPE", "RETR"])(
    "%s answered by 314, which no command has, is status 7",
    async (command) => {
      const on = { [command]: "314 what?" };
      const { status, stderr } = await fetchFrom({ files, on }, "/pub/x");
      expect(stderr).toContain('server replied 314 "what?"');
      expect(status).toBe(7);
    },
  );

  it("-v shows text", async () => {
    const on = { greeting: "220 ready\r\nWelcome to h" };
    const { stderr } = await fetchFrom({ files, on }, "/x", ["-v"]);
    expect(stderr).toContain("< 220 ready\n< Welcome to h\n");
  });
});

describe("a server that refuses FEAT", () => {
  it("S9 is asked for MLSD all the same", async () => {
    const { server, status, stdout } = await fetchFrom({ files, on: { FEAT: "502 what?" } }, "/");
    expect([status, stdout]).toEqual([0, "x\npub/\n"]);
    expect(server.sent("MLSD", "LIST")).toEqual(["MLSD"]);
  });

  it("S9 is asked once where it refuses MLSD", async () => {
    const { server, status, stdout } = await fetchFrom({ files, features: false }, ["/", "/pub/"]);
    expect([status, stdout]).toEqual([0, "x\npub/\nx\n"]);
    expect(server.sent("MLSD", "LIST")).toEqual(["MLSD", "LIST", "LIST"]);
  });
});

describe("a server that reads one command of a write and drops the rest", () => {
  const reading: ServerOptions = { files, users, dropPipelined: "rest" };

  it.each<[claim: string, options: ServerOptions]>([
    ["stays", {}],
    ["hangs up", { dropPipelined: "close" }],
  ])("and %s takes the commands one at a time, without a word", async (_claim, options) => {
    const words = ["--progress", "none"];
    const found = await fetchFrom({ ...reading, ...options }, "/x", words, { login: jane });
    expect([found.status, found.stderr, filesIn(found.cwd)]).toEqual([0, "", { x: "text" }]);
    expect(found.server.sent("PASS")).toEqual(["PASS secret"]);
    expect(found.elapsedMs).toBeLessThan(3000);
  });

  it("gets a wrong password once", async () => {
    const { server, status, stderr } = await fetchFrom(reading, "/x", [], { login: wrong });
    expect(stderr).toContain(
      'cannot log in as "jane" with the password from the URL: server replied 530',
    );
    expect(server.sent("PASS")).toEqual(["PASS no"]);
    expect(status).toBe(6);
  });

  it("is remembered for other users", async () => {
    const server = await startServer(reading);
    await ftpull([server.url("/x", jane), server.url("/pub/x")]);
    expect(server.connections.length).toBeLessThanOrEqual(3);
  });
});

it.each([1, 3])(
  "with -t %i a server that hangs up on PASS gets it twice at most",
  async (tries) => {
    const on = { PASS: close };
    const settings = { login: wrong, tries };
    const { server, status, stderr } = await fetchFrom({ files, on }, "/x", [], settings);
    expect(stderr).toContain("the server closed the control connection");
    expect(server.sent("PASS")).toEqual(Array(Math.min(2, tries)).fill("PASS no"));
    expect(status).toBe(4);
  },
);

describe("the account", () => {
  const withAccount = ["--account", "sales"];

  it("S8 332 at login is answered with ACCT", async () => {
    const given = { files, users: { jane: { password: "secret", account: "sales" } } };
    const { server, status } = await fetchFrom(given, "/x", withAccount, { login: jane });
    const afterAccount = [...features, ...retrieval("x"), "QUIT"];
    expectCommands(server, ...credentials("jane", "secret"), "ACCT sales", ...afterAccount);
    expect(status).toBe(0);
  });

  it("S8 --account counts for an anonymous login too, which gets no password", async () => {
    const guests = { anonymous: { password: "ftpull@example.com", account: "sales" } };
    const env = { FTPULL_PASSWORD: "secret" };
    const { server, status } = await fetchFrom({ files, users: guests }, "/x", withAccount, {
      env,
    });
    expect(server.commands).toContain("ACCT sales");
    const credentials = ["USER anonymous", "PASS ftpull@example.com"];
    // ACCT came too late for the commands that had been sent behind PASS.
    expect(server.sent("USER", "PASS")).toEqual(
      isPipelining ? [...credentials, ...credentials] : credentials,
    );
    expect(status).toBe(0);
  });
});

describe("features", () => {
  it("S10 without UTF8 a raw name goes out by --remote-encoding", async () => {
    const latin1 = { nameEncoding: "latin1", features: ["SIZE", "MDTM"] } as const;
    const given = { files: { "caf\xe9": "text" }, ...latin1 };
    const words = ["--remote-encoding", "iso-8859-1"];
    const { server, status, cwd } = await fetchFrom(given, "/café", words);
    expectCommands(server, ...anonymous, ...featuresWithoutUtf8, ...retrieval("caf\xe9"), "QUIT");
    expect([status, filesIn(cwd)]).toEqual([0, { café: "text" }]);
  });

  it("S10 the warning about an unknown encoding comes once, however often the document is tried", async () => {
    const on = { "RETR#1": "450 busy", "RETR#2": "450 busy" };
    const given = { files: { é: "x" }, features: ["SIZE"], on };
    const { status, stderr } = await fetchFrom(given, "/é", [], { tries: 3 });
    expect([status, stderr.split("try --remote-encoding").length], stderr).toEqual([0, 2]);
  });

  it("S10 with UTF8 it is UTF-8, whatever --remote-encoding says", async () => {
    const words = ["--remote-encoding", "iso-8859-1"];
    const { server, stderr } = await fetchFrom({ files: { café: "text" } }, "/café", words);
    expectAfterLogin(server, ...retrieval("caf\xc3\xa9"));
    expect(stderr).not.toContain("warning");
  });
});

describe("the end", () => {
  it("S11 neither MODE nor STRU is ever sent: stream and file are the default", async () => {
    const { server } = await fetchFrom({ files }, ["/x", "/x;type=a", "/pub/"]);
    expect(server.sent("MODE", "STRU")).toEqual([]);
  });

  it.each<[claim: string, on: Record<string, Action>]>([
    ["S12 after a refusal", { RETR: "550 no", CWD: "550 no" }],
    ["S12 after a transfer that failed", { RETR: transfer({ first: 1, completion: "451 disk" }) }],
    ["S12 after a protocol error", { EPSV: "500 no", PASV: "227 nowhere" }],
  ])("%s there is one QUIT, the last command", async (_claim, on) => {
    const { server, status } = await fetchFrom({ files, on }, "/x");
    expect(server.commands.indexOf("QUIT")).toBe(server.commands.length - 1);
    expect(status).not.toBe(0);
  });

  it("S12 a reply to QUIT is waited for a second at most", async () => {
    const { status, elapsedMs } = await fetchFrom({ files, on: { QUIT: stall } }, "/x");
    expect(elapsedMs).toBeLessThan(20_000); // any other silence would take thirty seconds
    expect(status).toBe(0);
  });

  it("S12 no QUIT where the server has ended the session", async () => {
    const on = { RETR: ["421 shutting down", close] };
    const { server, status } = await fetchFrom({ files, on }, "/x");
    expectCommands(server, ...anonymousLogin, ...retrieval("x"));
    expect(status).toBe(8);
  });
});

/** What somebody reads whose job has just failed: the whole of standard error, kind by kind. */
import { expect, test } from "vitest";
import { close, stall, transfer } from "../support/actions.ts";
import { closedPort } from "../support/ports.ts";
import { rowsOf } from "../support/rows.ts";
import type { ServerOptions } from "../support/options.ts";
import { type RunOptions } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

/** Standard error and status of a run without progress and without second tries. */
async function failureOf(args: readonly string[], options: RunOptions = {}) {
  const { status, stderr, stdout } = await run(["-q", "-t", "1", ...args], options);
  expect(stdout).toBe("");
  return { status, stderr };
}

const files = { "pub/x": { size: 1024, seed: 1 }, "pub/big": { size: 102_400, seed: 2 } };

/** A claim, what is typed, the message, and the hint. */
const usage = rowsOf(`
a port that may be the beginning of a password | ftp://jane:123456/secret@h/x | ftp://jane@h/x: the port is not a number from 1 to 65535 | in a user, a password or a name write "%" as %25, "@" as %40, "/" as %2F, "?" as %3F, "#" as %23 and ";" as %3B
what stands behind the colon of --user isn't shown | --user jane:secret ftp://127.0.0.1/x | --user: expected a name without a colon | give the user with --user, the password with --password-file, FTPULL_PASSWORD or --netrc-file
a pinned key, and no TLS | --pinnedpubkey sha256//x ftp://127.0.0.1/x | ftp://127.0.0.1/x: --pinnedpubkey is for TLS: add --tls
a key without its certificate | --private-key /dev/null ftpes://127.0.0.1/x | ftpes://127.0.0.1/x: --private-key is for --certificate, which is not given
`);

test.each(usage)("2, usage: %s: %s", async (_claim, typed = "", message, hint) => {
  expect(await failureOf(typed.split(" "))).toEqual({ status: 2, stderr: errorOf(message, hint) });
});

/** The lines of an error. */
function errorOf(message = "", hint?: string): string {
  return `ftpull: ${message}\n${hint === undefined ? "" : `hint: ${hint}\n`}`;
}

test("2, usage: two URLs in one argument, of which nothing is sent", async () => {
  const server = await startServer({ files });
  const url = server.url("/pub/x", { user: "jane", password: "secret" });
  for (const text of [`${url} ${url}`, `ftp://${url}`]) {
    const { status, stderr } = await failureOf([text]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^ftpull: ftp:\S+: ":\/\/" stands twice: in a name write ":" as %3A\n/);
    expect(stderr).not.toContain("secret");
  }
  expect(server.commands).toEqual([]);
});

test("4, network: nobody listens at a port of its own", async () => {
  const url = `ftp://127.0.0.1:${await closedPort("127.0.0.1")}/pub/x`;
  const { port, hostname } = new URL(url);
  const stderr = `ftpull: ${url}: cannot connect to ${hostname} port ${port}: connection refused\n`;
  expect(await failureOf([url])).toEqual({ status: 4, stderr });
});

const users = { jane: { password: "secret" }, joe: { password: "secret", account: "sales" } };

interface Failure extends ServerOptions {
  readonly words?: readonly string[];
  readonly path?: string;
  readonly login?: { user: string; password?: string };
}

const failures: [status: number, claim: string, how: Failure, message: string, hint?: string][] = [
  [
    3,
    "file: a directory is in the way",
    { words: ["-O", "."] },
    'cannot write ".": it is a directory',
  ],
  [
    4,
    "network: the server is silent",
    { words: ["-T", "3"], on: { greeting: stall } },
    "the server sent no reply for 3 s",
  ],
  [
    4,
    "network: the data stalls, and what arrived is kept",
    {
      words: ["-T", "2.5"],
      path: "/pub/big",
      on: { RETR: transfer({ first: 51200, end: "stall" }) },
    },
    "no data for 2.5 s; stopped at 50 of 100 KiB; the same command goes on from there",
  ],
  [
    6,
    "login: a wrong password, which isn't shown",
    { login: { user: "jane", password: "wrong" } },
    'cannot log in as "jane" with the password from the URL: server replied 530 "Login incorrect"',
  ],
  [
    6,
    "login: an account is wanted",
    { login: { user: "joe", password: "secret" } },
    'no account for "joe": server replied 332 "Account required"',
    "give the account with --account or --netrc-file",
  ],
  [
    8,
    "refused: a greeting of 421",
    { on: { greeting: ["421 busy", close] } },
    'the server refuses service: server replied 421 "busy"',
  ],
];

test.each(failures)("%i, %s", async (status, _claim, how, message, hint) => {
  const { words = [], path = "/pub/x", login = {}, ...options } = how;
  const server = await startServer({ files, users, ...options });
  const { password: _secret, ...shown } = login as { user?: string; password?: string };
  const url = server.url(path, shown);
  const stderr = errorOf(`${url}: ${message}`, hint);
  expect(await failureOf([...words, server.url(path, login)])).toEqual({ status, stderr });
});

const noDirectory =
  'cannot enter the directory "none": server replied 550 "none: no such directory"';
const noFile = (x: string): string =>
  `cannot retrieve "${x}": server replied 550 "${x}: no such file"`;

/** A claim, the path, the message, and the hint; BASE stands for the server's URL. */
const refusals = rowsOf(String.raw`
no such file | /pub/none | ${noFile("none")} | list the directory: BASE/pub/
no such directory | /none/x | ${noDirectory} | list the directory: BASE/
a directory deep in the path, whose parents are there | /pub//old/none/deeper/x | ${noDirectory} | list the directory: BASE/pub/old/
`);

test.each(refusals)("8, refused: %s", async (_claim, path = "", message, hint) => {
  const server = await startServer({ files, directories: ["pub/old", "it's (old)"] });
  const stderr = errorOf(`BASE${path}: ${message}`, hint).replaceAll("BASE", server.url(""));
  expect(await failureOf([server.url(path)])).toEqual({ status: 8, stderr });
});

test("9, integrity: half a file that the server calls complete, and the same command goes on", async () => {
  const server = await startServer({ files, on: { "RETR#1": transfer({ first: 51_200 }) } });
  const url = server.url("/pub/big");
  const { stderr, status, cwd } = await run(["-t", "1", url]);
  const kept = "stopped at 50 of 100 KiB; the same command goes on from there";
  expect({ stderr, status }).toEqual({
    status: 9,
    stderr:
      `big: fetching 100 KiB from ${url}\n` +
      `ftpull: ${url}: expected 102400 bytes, received 51200; ${kept}\n`,
  });
  expect(await run(["-q", url], { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(server.commands).toContainEqual(expect.stringMatching(/^REST /));
});

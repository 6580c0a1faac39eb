/** U1 to U19: what a URL makes the program send, or refuse before anything is connected. */
import { describe, expect, it } from "vitest";
import { startAgreeableServer } from "./support/agreeable-server.ts";
import { filesIn, ftpull } from "./support/client.ts";
import {
  expectAfterLogin,
  expectCommands,
  login,
  retrieval,
  type Script,
} from "./support/dialogue.ts";
import { folderWith } from "../support/folder-with.ts";

/** The retrieval of a file in a type other than image: octets that SIZE counts are not those sent. */
function typed(type: string, name: string): Script {
  return [`TYPE ${type}`, `MDTM ${name}`, "EPSV", `RETR ${name}`];
}

/** A listing of the directory reached; its names need no TYPE, as ASCII is in force. */
const listing: Script = ["EPSV", "MLSD"];

const paths: [claim: string, path: string, commands: Script][] = [
  ["U7 %2F stays inside one argument", "/a%2Fb/c", ["PWD", "CWD a/b", ...retrieval("c")]],
  ["U8 no path is the login directory", "", listing],
  ["U9 ;type=a", "/x;type=a", typed("A", "x")],
  ["U9 ;type=d", "/x;type=d", ["PWD", "CWD x", ...listing]],
  ["U10 RFC 1630's ;type=l8", "/x;type=l8", typed("L 8", "x")],
  ["U15 %E7 is one octet", "/%E7/x", ["PWD", "CWD \xe7", ...retrieval("x")]],
  ["U15 a raw character is UTF-8", "/ç/x", ["PWD", "CWD \xc3\xa7", ...retrieval("x")]],
];

it.each(paths)("the commands for a path: %s", async (_claim, path, commands) => {
  const server = await startAgreeableServer();
  const { status, stderr } = await ftpull([server.url(path)]);
  expect(stderr).not.toContain("warning");
  expectAfterLogin(server, ...commands);
  expect(status).toBe(0);
});

it("U11 a query is not sent, with a warning", async () => {
  const server = await startAgreeableServer();
  const { status, stderr } = await ftpull([server.url("/x?y")]);
  expect(stderr).toContain(`ftpull: warning: ${server.url("/x")}: "?" `);
  expect(stderr).toContain("write %3F");
  expectAfterLogin(server, ...retrieval("x"));
  expect(status).toBe(0);
});

/** `AT` stands for the server's host and port. */
const logins: [claim: string, url: string, login: Script][] = [
  ["U2 S3 user and password", "ftp://u:p@AT/x", login("u", "p")],
  ["U5 an empty user is sent", "ftp://:p@AT/x", login("", "p")],
  ["U16 <URL:...> with white space", "<URL:ftp://u:p@AT/\n  x>", login("u", "p")],
];

describe("the login that a URL stands for", () => {
  it.each(logins)("%s", async (_claim, url, commands) => {
    const server = await startAgreeableServer();
    await ftpull([url.replace("AT", `127.0.0.1:${server.port}`)]);
    expectCommands(server, ...commands, ...retrieval("x"), "QUIT");
  });

  it("U4 the last @ before the path ends the userinfo, with a warning", async () => {
    const server = await startAgreeableServer();
    const { stderr } = await ftpull([`ftp://me@mail.example:p@q@127.0.0.1:${server.port}/x`]);
    expectCommands(server, ...login("me@mail.example", "p@q"), ...retrieval("x"), "QUIT");
    expect(stderr).toContain("write %40");
    expect(stderr).not.toContain("p@q");
  });

  it("U5 an empty user without password is asked for one, never anonymous", async () => {
    const server = await startAgreeableServer();
    const { status } = await ftpull([server.url("/x", { user: "" })]);
    expectCommands(server, "HOST 127.0.0.1", "USER ", "QUIT");
    expect(status).toBe(6);
  });
});

it("U17 a relative reference of an input file is resolved", async () => {
  const server = await startAgreeableServer();
  const cwd = await folderWith({ list: "# one a line\nx\n" });
  await ftpull(["--base", server.url("/a/"), "-i", "list"], { cwd });
  expectAfterLogin(server, "PWD", "CWD a", ...retrieval("x"));
  expect(filesIn(cwd)).toHaveProperty("x", "text");
});

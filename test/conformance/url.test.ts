/** U4, U5 and U11: what a URL makes the program say, and send, beside its plan. */
import { expect, it } from "vitest";
import { startAgreeableServer } from "./support/agreeable-server.ts";
import { ftpull } from "./support/client.ts";
import { expectAfterLogin, expectCommands, login, retrieval } from "./support/dialogue.ts";

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

it("U11 a query is not sent, with a warning", async () => {
  const server = await startAgreeableServer();
  const { status, stderr } = await ftpull([server.url("/x?y")]);
  expect(stderr).toContain(`ftpull: warning: ${server.url("/x")}: "?" `);
  expect(stderr).toContain("write %3F");
  expectAfterLogin(server, ...retrieval("x"));
  expect(status).toBe(0);
});

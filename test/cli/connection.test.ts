/** How the program connects: active mode, one version of IP, addresses with a zone. */
import { describe, expect, it } from "vitest";
import { ftpull } from "../conformance/support/client.ts";
import { anonymousLogin, expectCommands } from "../conformance/support/dialogue.ts";
import { startServer } from "../support/start-server.ts";

const files = { x: "text" };
const inquiries = ["TYPE I", "SIZE x", "MDTM x"];

describe("--active", () => {
  it.each(["/x", "/x;type=a", "/"])("fetches %s", async (path) => {
    const server = await startServer({ files });
    const result = await ftpull(["--active", "-O", "-", server.url(path)]);
    expect(result).toMatchObject({ status: 0, stdout: path === "/" ? "x\n" : "text" });
    expect(server.commands.filter((command) => /^(EPSV|PASV)/.test(command))).toEqual([]);
  });

  it("sends EPRT for each document, and PORT where that is unknown", async () => {
    const server = await startServer({ files, on: { EPRT: "502 what?" } });
    const result = await ftpull(["--active", "-O", "-", server.url("/x"), server.url("/x")]);
    expect(result).toMatchObject({ status: 0, stdout: "texttext" });
    const verbs = server.commands.map((command) => command.split(/[ |]/)[0]);
    expect(verbs.filter((verb) => verb?.endsWith("RT"))).toEqual(["EPRT", "PORT", "PORT"]);
  });

  it("fails with the server's words where that can't connect", async () => {
    const server = await startServer({ files, on: { RETR: "425 no way to you" } });
    const { status, stderr } = await ftpull(["--active", server.url("/x")]);
    expect(stderr).toContain('cannot retrieve "x": server replied 425 "no way to you"');
    expect(status).toBe(8);
  });

  it("fails when nobody connects", async () => {
    const server = await startServer({ files, on: { RETR: "150 coming" } });
    const { status, stderr } = await ftpull(["--active", "-T", "3", server.url("/x")]);
    expect(stderr).toContain("the server did not connect within 3 s");
    expect(status).toBe(4);
  });

  it("works over IPv6", async () => {
    const server = await startServer({ files, host: "::1" });
    const result = await ftpull(["--active", "-O", "-", server.url("/x")]);
    expect(result).toMatchObject({ status: 0, stdout: "text" });
    expect(server.commands).toContainEqual(expect.stringMatching(/^EPRT \|2\|::1\|/));
  });
});

describe("one version of IP", () => {
  it.each<[option: string, host: "127.0.0.1" | "::1"]>([
    ["-4", "127.0.0.1"],
    ["-6", "::1"],
  ])("%s takes an address of that version", async (option, host) => {
    const server = await startServer({ files, host });
    const result = await ftpull([option, "-O", "-", server.url("/x")]);
    expect(result).toMatchObject({ status: 0, stdout: "text" });
  });

  it("-4 takes a name's address of that version", async () => {
    const server = await startServer({ files });
    const url = server.url("/x").replace("127.0.0.1", "localhost");
    expect(await ftpull(["-4", "-O", "-", url])).toMatchObject({ status: 0, stdout: "text" });
  });

  it.each([
    ["-4", "[::1]", "cannot connect to ::1 port 21: it is no IPv4 address"],
    ["-6", "127.0.0.1", "cannot connect to 127.0.0.1 port 21: it is no IPv6 address"],
    ["-6", "none.invalid", "port 21: no such host, or it has no IPv6 address"],
  ])("%s says of %s what is missing", async (option, host, words) => {
    const { status, stderr } = await ftpull([option, `ftp://${host}/x`]);
    expect(stderr).toContain(words);
    expect(status).toBe(4);
  });
});

it("the zone of an IPv6 address is for connecting, and HOST leaves it out", async () => {
  const server = await startServer({ files, host: "::1" });
  const url = server.url("/x").replace("[::1]", "[::1%25lo]");
  const result = await ftpull(["-O", "-", url]);
  expect(result).toMatchObject({ status: 0, stdout: "text" });
  const [, ...login] = anonymousLogin;
  expectCommands(server, "HOST [::1]", ...login, ...inquiries, "EPSV", "RETR x", "QUIT");
});

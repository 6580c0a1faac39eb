/** SITE (RFC 959 §4.1.3): what the user has sent after each login. */
import { describe, expect, it } from "vitest";
import { startServer } from "../support/start-server.ts";
import { filesIn, ftpull } from "./support/client.ts";
import { anonymousLogin, expectCommands, retrieval } from "./support/dialogue.ts";

const site = ["--site", "RDW", "--site", "NAMEFMT 1"];
const sent = ["SITE RDW", "SITE NAMEFMT 1"];
const accepted = { "SITE RDW": "200 on", "SITE NAMEFMT 1": "250 naming format 1" };

describe("SITE", () => {
  it("goes out after the login, in the order given, once in a session", async () => {
    const server = await startServer({ files: { x: "x", y: "yy" }, on: accepted });
    const { status, cwd } = await ftpull([...site, server.url("/x"), server.url("/y")]);
    expect([status, filesIn(cwd)]).toEqual([0, { x: "x", y: "yy" }]);
    expect(server.sent("SITE")).toEqual(sent);
    expect(server.commands.indexOf(sent[0]!)).toBeLessThan(server.commands.indexOf("TYPE I"));
  });

  it("goes out again in each further session", async () => {
    const files = Object.fromEntries(["a", "b", "c"].map((name) => [`d/${name}`, name]));
    const server = await startServer({ files, on: accepted });
    const { status } = await ftpull(["-r", "-j", "3", ...site, server.url("/d/")]);
    expect(status).toBe(0);
    const logins = server.connections.filter(({ commands }) =>
      commands.some((command) => command.startsWith("RETR")),
    );
    for (const { commands } of logins)
      expect(commands.filter((command) => command.startsWith("SITE"))).toEqual(sent);
  });

  it("goes out again after REIN", async () => {
    const on = { ...accepted, PWD: "502 no" };
    const server = await startServer({ files: { "a/x": "x", "b/y": "yy" }, on });
    const { status } = await ftpull([...site, server.url("/a/x"), server.url("/b/y")]);
    const [reinitialized = ""] = server.sent("REIN");
    expect([status, reinitialized]).toEqual([0, "REIN"]);
    const later = server.commands.slice(server.commands.indexOf("REIN"));
    expect(later.filter((command) => command.startsWith("SITE"))).toEqual(sent);
  });

  it.each(sent)("is a failure where %s is refused", async (refused) => {
    const on = { ...accepted, [refused]: "500 unknown" };
    const server = await startServer({ files: { x: "x" }, on });
    const { status, stderr, cwd } = await ftpull(["-q", ...site, server.url("/x")]);
    expect(stderr).toBe(
      `ftpull: ${server.url("/x")}: the server refuses "${refused}": server replied 500 "unknown"\n`,
    );
    expect([status, filesIn(cwd)]).toEqual([8, {}]);
    expect(server.sent("RETR")).toEqual([]);
  });

  it("sends a name's octets as they are, and no line of its own", async () => {
    const server = await startServer({ files: { x: "x" }, on: { "SITE \xc3\xbc": "200 on" } });
    await ftpull(["--site", "ü", server.url("/x")]);
    expectCommands(server, ...anonymousLogin, "SITE \xc3\xbc", ...retrieval("x"), "QUIT");
    const { status, stderr } = await ftpull(["--site", "RDW\r\nDELE x", server.url("/x")]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("--site")]);
  });
});

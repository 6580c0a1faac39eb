/** SITE (RFC 959 §4.1.3): what the user has sent after each login. */
import { describe, expect, it } from "vitest";
import { startServer } from "../support/start-server.ts";
import { fetchFrom, ftpull } from "./support/client.ts";
import { anonymousLogin, expectCommands, retrieval } from "./support/dialogue.ts";

const site = ["--site", "RDW", "--site", "NAMEFMT 1"];
const sent = ["SITE RDW", "SITE NAMEFMT 1"];
const accepted = { "SITE RDW": "200 on", "SITE NAMEFMT 1": "250 naming format 1" };

describe("SITE", () => {
  it("goes out after the login, in the order given, once in a session", async () => {
    const given = { files: { x: "x", y: "yy" }, on: accepted };
    const { server, status } = await fetchFrom(given, ["/x", "/y"], site);
    expect([status, server.sent("SITE", "TYPE")]).toEqual([0, [...sent, "TYPE I"]]);
  });

  it("goes out again in each further session", async () => {
    const files = Object.fromEntries(["a", "b", "c"].map((name) => [`d/${name}`, name]));
    const server = await startServer({ files, on: accepted });
    const { status } = await ftpull(["-r", "-j", "3", ...site, server.url("/d/")]);
    expect(status).toBe(0);
    const asked = server.connections.map(({ commands }) => commands.join()).filter(Boolean);
    for (const commands of asked) expect(commands).toContain(sent.join());
  });

  it("goes out again after REIN", async () => {
    const on = { ...accepted, PWD: "502 no" };
    const given = { files: { "a/x": "x", "b/y": "yy" }, on };
    const { server, status } = await fetchFrom(given, ["/a/x", "/b/y"], site);
    expect([status, server.sent("REIN", "SITE")]).toEqual([0, [...sent, "REIN", ...sent]]);
  });

  it.each(sent)("is a failure where %s is refused", async (refused) => {
    const on = { ...accepted, [refused]: "500 unknown" };
    const { server, status, stderr } = await fetchFrom({ files: { x: "x" }, on }, "/x", site);
    expect(stderr).toContain(`/x: the server refuses "${refused}": server replied 500 "unknown"\n`);
    expect([status, server.sent("RETR")]).toEqual([8, []]);
  });

  it("sends a name's octets as they are, and no line of its own", async () => {
    const server = await startServer({ files: { x: "x" }, on: { "SITE \xc3\xbc": "200 on" } });
    await ftpull(["--site", "ü", server.url("/x")]);
    expectCommands(server, ...anonymousLogin, "SITE \xc3\xbc", ...retrieval("x"), "QUIT");
    const { status, stderr } = await ftpull(["--site", "RDW\r\nDELE x", server.url("/x")]);
    expect([status, stderr]).toEqual([2, expect.stringContaining("--site")]);
  });
});

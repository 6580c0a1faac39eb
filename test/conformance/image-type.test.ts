/** P3: octets are had in image type or not at all. */
import { describe, expect, it } from "vitest";
import type { ServerOptions } from "../support/options.ts";
import { startServer } from "../support/start-server.ts";
import { filesIn, ftpull, isPipelining } from "./support/client.ts";
import { ahead, expectAfterLogin, retrieval } from "./support/dialogue.ts";

/** A document that ASCII changes: the server ends lines by CRLF in it. */
const text = "one\ntwo\n";

const start = (on: NonNullable<ServerOptions["on"]>) =>
  startServer({ files: { x: text, y: text }, on });

describe("a refusal of TYPE I", () => {
  it.each(["504", "530"])("P3 %s fails the document, which isn't retrieved", async (code) => {
    const server = await start({ "TYPE I": `${code} no` });
    const { status, stderr, cwd } = await ftpull([server.url("/x")]);
    expectAfterLogin(server, "TYPE I", ...ahead("SIZE x", "MDTM x"));
    expect(stderr).toContain(
      `/x: cannot set TYPE I: server replied ${code} "no"\n` +
        'hint: a text may be had in ASCII: end the URL in ";type=a"\n',
    );
    expect([status, filesIn(cwd)]).toEqual([8, {}]);
  });

  it.each(["421 not now", "450 busy"])(
    "P3 %s is tried again, and a size that was told before isn't believed",
    async (reply) => {
      const server = await start({
        "TYPE#1 I": reply,
        ...(isPipelining && { "SIZE#1": "213 999" }),
      });
      const { status, stderr, cwd } = await ftpull([server.url("/x")], { tries: 3 });
      expect(stderr).toContain("trying again");
      expect([status, filesIn(cwd)]).toEqual([0, { x: text }]);
    },
  );

  it("P3 for one document leaves the next one on that session to ask again", async () => {
    const server = await start({ "TYPE#1 I": "504 no" });
    const { status, cwd } = await ftpull([server.url("/x"), server.url("/y")]);
    const refused = ["TYPE I", ...ahead("SIZE x", "MDTM x")];
    expectAfterLogin(server, ...refused, ...retrieval("y"));
    expect([status, filesIn(cwd)]).toEqual([8, { y: text }]);
  });

  it("P3 for the next document counts where it was sent with the one before", async () => {
    const server = await start({ "TYPE I": "504 no" });
    const paths = ["/y;type=a", "/y;type=a", "/x", "/x"];
    const { status, cwd } = await ftpull(paths.map((path) => server.url(path)));
    expect(server.commands).not.toContain("RETR x");
    expect([status, filesIn(cwd)]).toEqual([8, { y: text, "y.1": text }]);
  });
});

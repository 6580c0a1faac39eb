/** Documents over TLS: data connections that belong to the session, and how they end. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { filesIn, ftpull } from "../conformance/support/client.ts";
import { transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import type { Step } from "../support/script.ts";
import { fetchSecured, startSecured, trusting } from "./support/secured.ts";

const sha256 = (octets: Uint8Array): string => createHash("sha256").update(octets).digest("hex");

describe.each([["passive"], ["active", "--active"]])("%s data connections", (_mode, ...words) => {
  it("resume the control connection's TLS session, each of them", async () => {
    const files = { x: "text", "d/y": "more", big: { size: 3_000_000, seed: 1 } };
    const server = await startSecured({ requireReuse: true }, { files });
    const urls = ["/x", "/d/y", "/", "/x", "/x", "/big"].map((path) =>
      server.url(path, { scheme: "ftpes" }),
    );
    const result = await ftpull([...(await trusting()), ...words, "-O", "-", ...urls]);
    const octets = Buffer.concat([
      Buffer.from("textmorex\nd/\nbig\ntexttext"),
      generatedOctets(1, 0, 3_000_000),
    ]);
    expect(sha256(result.stdoutBytes)).toBe(sha256(octets));
    expect(server.connections).toHaveLength(1);
    expect(result.status).toBe(0);
  });

  it("may be empty", async () => {
    const server = await startSecured({ requireReuse: true }, { files: { x: "" } });
    const url = server.url("/x;type=a", { scheme: "ftpes" });
    const result = await ftpull([...(await trusting()), ...words, url]);
    expect(filesIn(result.cwd)).toEqual({ x: "" });
  });

  it.each(["551 no such page", "522 resume the session"])(
    "a refusal is told in the server's words, whatever became of the connection: %s",
    async (reply) => {
      const { status, stderr } = await fetchSecured({ on: { RETR: reply } }, words);
      const [code, text] = [reply.slice(0, 3), reply.slice(4)];
      expect(stderr).toContain(`cannot retrieve "x": server replied ${code} "${text}"`);
      expect(status).toBe(8);
    },
  );

  it("in clear text, in spite of PROT P, bring no file", async () => {
    const server = { files: { x: "text, not TLS" }, on: { PROT: "200 protected" } };
    const result = await fetchSecured(server, words);
    expect(result.stderr).toContain(
      `ftpull: ${result.url}: the data connection broke: the server answers in clear text (wrong version number)\n`,
    );
    expect(filesIn(result.cwd)).toEqual({});
    expect(result.status).toBe(5);
  });

  describe("that end without close_notify", () => {
    const cut = { RETR: transfer({ end: "cut" }), MLSD: transfer({ end: "cut" }) };
    const complaint =
      "the data connection was closed without TLS's close_notify: it may have been cut";

    it.each([
      ["/x;type=a", 4],
      ["/", 9],
    ])("make no whole text, nor listing: %s", async (path, status) => {
      const result = await fetchSecured({ on: cut }, [...words, "--progress", "none"], path);
      expect(result.stderr).toContain(`ftpull: ${result.url}: ${complaint}`);
      expect(Object.keys(filesIn(result.cwd))).not.toContain("x");
      expect(result.stdout).toBe(path === "/" ? "x\n" : "");
      expect(result.status).toBe(status);
    });

    it("make no whole file where the size is unknown", async () => {
      const result = await fetchSecured({ on: { ...cut, SIZE: "550 no" } }, words);
      expect(result.stderr).toContain(complaint);
      expect(Object.keys(filesIn(result.cwd))).not.toContain("x");
      expect(result.status).toBe(4);
    });

    it("make a whole file where the count equals SIZE, on a session that goes on", async () => {
      const server = await startSecured({}, { on: cut });
      const url = server.url("/x", { scheme: "ftpes" });
      const result = await ftpull([...(await trusting()), ...words, "-O", "-", url, url]);
      expect(result).toMatchObject({ status: 0, stdout: "texttext" });
      expect(server.connections).toHaveLength(1);
    });

    it("are told by the count where octets are missing", async () => {
      const result = await fetchSecured(
        { on: { RETR: transfer({ first: 2, end: "cut" }) } },
        words,
      );
      expect(result.stderr).toContain(`${complaint}: expected 4 bytes, received 2`);
      expect(result.status).toBe(4);
    });
  });
});

it("a text whose TLS was ended in order is whole, also where the reply comes early", async () => {
  const result = await fetchSecured(
    { on: { RETR: transfer({ early: true }) } },
    ["-O", "-"],
    "/x;type=a",
  );
  expect(result).toMatchObject({ status: 0, stdout: "text" });
});

it("an empty document of unknown size is whole, however late the server begins TLS", async () => {
  // All that the client says in the handshake waits: what it says first, and then its answer.
  const late: Step = () =>
    new Promise((resolve) => {
      setTimeout(resolve, 100);
      setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100), 100);
    });
  const on = { SIZE: "550 no", RETR: transfer({ preliminary: ["150 here", late] }) };
  const result = await fetchSecured({ files: { x: "" }, on });
  expect(filesIn(result.cwd)).toEqual({ x: "" });
  expect(result.status).toBe(0);
});

/** P3 to P12: from the login directory to the document. */
import { describe, expect, it } from "vitest";
import { proceed, transfer } from "../support/actions.ts";
import type { ServerOptions } from "../support/options.ts";
import { fetchFrom, filesIn, isPipelining } from "./support/client.ts";
import { ahead, expectAfterLogin, retrieval, type Script } from "./support/dialogue.ts";

/** The listing of the directory reached. */
const machineListing: Script = ["EPSV", "MLSD"];

describe("the representation type", () => {
  it.each([
    ["E, after none: ASCII as at the beginning", ["/x;type=e"], "a\n", "A"],
    ["A, after image: image", ["/y;type=i", "/x;type=a"], "yya\r\n", "I, not converted"],
    ["U, after ASCII: ASCII", ["/x;type=a", "/x;type=u"], "a\na\n", "A"],
  ])("P3 after a refusal the type in force counts: %s", async (_claim, paths, text, inForce) => {
    const on = { RETR: transfer({ content: "a\r\n" }), "RETR y": proceed };
    const type = paths.at(-1)!.slice(-1).toUpperCase();
    const given = { files: { y: "yy" }, on: { ...on, [`TYPE ${type}`]: "504 no" } };
    const { status, stdout, stderr } = await fetchFrom(given, paths, ["-O", "-"]);
    expect([status, stdout]).toEqual([0, text]);
    expect(stderr).toContain(`was refused: server replied 504 "no"; sent in TYPE ${inForce}\n`);
  });

  it("P12 --guess-type sends text suffixes as ASCII, and others not", async () => {
    const files = { "x.txt": "a\nb\n", "x.gz": "\n" };
    const { server, cwd } = await fetchFrom({ files }, ["/x.txt", "/x.gz"], ["--guess-type"]);
    expectAfterLogin(server, "TYPE A", "MDTM x.txt", "EPSV", "RETR x.txt", ...retrieval("x.gz"));
    expect(filesIn(cwd)).toEqual(files);
  });
});

describe("a refusal of TYPE I", () => {
  /** A file that ASCII changes: the server ends lines by CRLF in it. */
  const text = "one\ntwo\n";
  const files = { x: text, y: text };
  const refused = ["TYPE I", ...ahead("SIZE x", "MDTM x")];

  it.each(["504", "530"])("P3 %s fails the file, which isn't retrieved", async (code) => {
    const on = { "TYPE I": `${code} no` };
    const { server, status, stderr, cwd } = await fetchFrom({ files, on }, "/x");
    expectAfterLogin(server, ...refused);
    expect(stderr).toContain(`/x: cannot set TYPE I: server replied ${code} "no"\n`);
    expect([status, filesIn(cwd)]).toEqual([8, {}]);
  });

  it.each(["421 not now", "450 busy"])(
    "P3 %s is tried again, and a size that was told before isn't believed",
    async (reply) => {
      const on = { "TYPE#1 I": reply, ...(isPipelining && { "SIZE#1": "213 999" }) };
      const { status, stderr, cwd } = await fetchFrom({ files, on }, "/x", [], { tries: 3 });
      expect(stderr).toContain("trying again");
      expect([status, filesIn(cwd)]).toEqual([0, { x: text }]);
    },
  );

  it("P3 leaves the next file on that session to ask again", async () => {
    const on = { "TYPE#1 I": "504 no" };
    const { server, status, cwd } = await fetchFrom({ files, on }, ["/x", "/y"]);
    expectAfterLogin(server, ...refused, ...retrieval("y"));
    expect([status, filesIn(cwd)]).toEqual([8, { y: text }]);
  });

  it("P3 for the next file counts where it was sent with the one before", async () => {
    const paths = ["/y;type=a", "/y;type=a", "/x", "/x"];
    const { server, status, cwd } = await fetchFrom({ files, on: { "TYPE I": "504 no" } }, paths);
    expect(server.commands).not.toContain("RETR x");
    expect([status, filesIn(cwd)]).toEqual([8, { y: text, "y.1": text }]);
  });
});

describe("a listing", () => {
  const files = { "pub/a": "", "pub/sub/b": "" };

  it.each([
    ["P5 a null last segment", "/pub/", ["PWD", "CWD pub"]],
    ["P5 whatever the typecode", "/pub/;type=i", ["PWD", "CWD pub", "TYPE I"]],
    ["P5 ;type=d of nothing", "/pub/;type=d", ["PWD", "CWD pub"]],
    ["P6 ;type=d enters the last segment", "/pub;type=d", ["PWD", "CWD pub"]],
    ["P8 a name that is a directory", "/pub", [...retrieval("pub"), "PWD", "CWD pub", "TYPE A"]],
  ])("%s is listed from inside", async (_claim, path, commands) => {
    const { server, status, stdout } = await fetchFrom({ files }, path);
    expectAfterLogin(server, ...commands, ...machineListing);
    expect([status, stdout]).toEqual([0, "a\nsub/\n"]);
  });

  it("P6 a cwd that is refused is asked for once", async () => {
    const { server, status, stderr } = await fetchFrom({ files }, "/none/sub;type=d");
    expectAfterLogin(server, "PWD", "CWD none", ...ahead("CWD sub"));
    expect(stderr).toContain('cannot enter the directory "none": server replied 550');
    expect(status).toBe(8);
  });
});

it("U11 a query is not sent, with a warning", async () => {
  const { server, status, stderr } = await fetchFrom({ files: { x: "text" } }, "/x?y");
  expect(stderr).toContain(`ftpull: warning: ${server.url("/x")}: "?" `);
  expectAfterLogin(server, ...retrieval("x"));
  expect(status).toBe(0);
});

describe("a name without typecode", () => {
  const files = { "pub/x": "text" };

  it("P7 a typecode makes a refusal final", async () => {
    const { server, status, stderr } = await fetchFrom({ files }, "/pub;type=i");
    expectAfterLogin(server, ...retrieval("pub"));
    expect(stderr).toContain('cannot retrieve "pub": server replied 550');
    expect(status).toBe(8);
  });

  it.each([["550 not a file"], ["501 no"], ["125 opening", "550 EISDIR"]])(
    "P8 %s: it is entered and listed",
    async (...replies) => {
      const { server, status, stdout } = await fetchFrom({ files, on: { RETR: replies } }, "/pub");
      expectAfterLogin(server, ...retrieval("pub"), "PWD", "CWD pub", "TYPE A", ...machineListing);
      expect([status, stdout]).toEqual([0, "x\n"]);
    },
  );

  it("P8 4yz is final", async () => {
    const { server, status } = await fetchFrom({ files, on: { RETR: "450 busy" } }, "/pub");
    expectAfterLogin(server, ...retrieval("pub"));
    expect(status).toBe(8);
  });
});

describe("a CWD that is refused", () => {
  it("P10 the whole path is tried as one name", async () => {
    const given = { files: { "a/b/x": "text" }, on: { "CWD a": "550 denied" } };
    const { server, status, cwd } = await fetchFrom(given, "/a/b/x");
    const behind = [...ahead("CWD b"), "TYPE I", ...ahead("SIZE x", "MDTM x")];
    const [, ...wholePath] = retrieval("a/b/x");
    expectAfterLogin(server, "PWD", "CWD a", ...behind, ...wholePath);
    expect([status, filesIn(cwd)]).toEqual([0, { x: "text" }]);
  });

  const files = { "home/a/b/x": "right", "home/b/a/b/x": "wrong", "home/a/a/b/x": "wrong" };

  it.each<[claim: string, on: ServerOptions["on"]]>([
    ["P10 no way back without PWD", { PWD: "502 no" }],
    ["P10 no way back where PWD's directory can't be entered", { "CWD /home": "550 no" }],
  ])("%s: the refusal is told, and nothing is retrieved", async (_claim, on) => {
    const given = { files, loginDirectory: "/home", on: { ...on, "CWD b": "550 denied" } };
    const { server, status, stderr } = await fetchFrom(given, "/a/b/x");
    expect(server.sent("RETR")).toEqual([]);
    expect(stderr).toContain('cannot enter the directory "b": server replied 550 "denied"');
    expect(status).toBe(8);
  });
});

/** P1 to P12: from the login directory to the document. */
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import type { ServerOptions } from "../support/options.ts";
import { startServer } from "../support/start-server.ts";
import { fetchFrom, filesIn, ftpull } from "./support/client.ts";
import { ahead, expectAfterLogin, retrieval, type Script } from "./support/dialogue.ts";

/** The listing of the directory reached. */
const machineListing: Script = ["EPSV", "MLSD"];

describe("the representation type", () => {
  it.each([
    ["E, after none: ASCII as at the beginning", ["/x;type=e"], "a\n", "A"],
    ["A, after image: image", ["/y;type=i", "/x;type=a"], "yya\r\n", "I, not converted"],
    ["U, after ASCII: ASCII", ["/x;type=a", "/x;type=u"], "a\na\n", "A"],
  ])("P3 after a refusal the type in force counts: %s", async (_claim, paths, text, inForce) => {
    const server = await startServer({
      files: { y: "yy" },
      on: { RETR: transfer({ content: "a\r\n" }), "RETR y": transfer({ content: "yy" }) },
    });
    server.on(`TYPE ${/=(.)$/.exec(paths.at(-1) ?? "")?.[1]?.toUpperCase()}`, "504 no");
    const urls = paths.map((path) => server.url(path));
    const { status, stdout, stderr } = await ftpull(["-O", "-", ...urls]);
    expect([status, stdout]).toEqual([0, text]);
    expect(stderr).toContain(`was refused: server replied 504 "no"; sent in TYPE ${inForce}\n`);
  });

  it("P12 --guess-type sends text suffixes as ASCII, and others not", async () => {
    const server = await startServer({ files: { "x.txt": "a\nb\n", "x.gz": "\n" } });
    const { cwd } = await ftpull(["--guess-type", server.url("/x.txt"), server.url("/x.gz")]);
    expectAfterLogin(server, "TYPE A", "MDTM x.txt", "EPSV", "RETR x.txt", ...retrieval("x.gz"));
    expect(filesIn(cwd)).toEqual({ "x.txt": "a\nb\n", "x.gz": "\n" });
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

describe("a name without typecode", () => {
  const files = { "pub/x": "text" };

  it("P7 a typecode makes a refusal final", async () => {
    const { server, status, stderr } = await fetchFrom({ files }, "/pub;type=i");
    expectAfterLogin(server, ...retrieval("pub"));
    expect(stderr).toContain('cannot retrieve "pub": server replied 550');
    expect(status).toBe(8);
  });

  it.each([["550 not a file"], ["553 no name"], ["501 no"], ["125 opening", "550 EISDIR"]])(
    "P8 %s: it is entered and listed",
    async (...replies) => {
      const { server, status, stdout } = await fetchFrom({ files, on: { RETR: replies } }, "/pub");
      expectAfterLogin(server, ...retrieval("pub"), "PWD", "CWD pub", "TYPE A", ...machineListing);
      expect([status, stdout]).toEqual([0, "x\n"]);
    },
  );

  it.each(["450 busy", "451 broken"])("P8 %s is final", async (reply) => {
    const { server, status } = await fetchFrom({ files, on: { RETR: reply } }, "/pub");
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
    const { server, status, stderr } = await fetchFrom(
      { files, loginDirectory: "/home", on: { ...on, "CWD b": "550 denied" } },
      "/a/b/x",
    );
    expect(server.sent("RETR")).toEqual([]);
    expect(stderr).toContain('cannot enter the directory "b": server replied 550 "denied"');
    expect(status).toBe(8);
  });
});

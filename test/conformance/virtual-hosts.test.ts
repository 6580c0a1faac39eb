/** S2: on a server of several hosts, every document is the named host's (RFC 7151). */
import { describe, expect, it } from "vitest";
import { close, stall, transfer } from "../support/actions.ts";
import type { Action, Step } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { filesIn, ftpull } from "./support/client.ts";
import { anonymousLogin, commandsOf, retrieval, visits } from "./support/dialogue.ts";

const files = { "a/x": "ax", "b/y": "by", "c/z": "cz" };

/** A server whose default host has other documents under the same names. */
function startHosts(on: Record<string, Action>): Promise<ScriptedServer> {
  const named = new Set<unknown>();
  const name: Step = async (exchange) => {
    named.add(exchange.session);
    await exchange.proceed();
  };
  const forget: Step = async (exchange) => {
    named.delete(exchange.session);
    await exchange.proceed();
  };
  const send: Step = (exchange) =>
    named.has(exchange.session)
      ? exchange.proceed()
      : transfer({ content: "another host's" })(exchange);
  const rules = { HOST: name, REIN: forget, RETR: send, SIZE: "550 no", ...on };
  return startServer({ files, on: rules });
}

const urlsOf = (server: ScriptedServer): string[] =>
  Object.keys(files).map((path) => server.url(`/${path}`));

const whole = { x: "ax", y: "by", z: "cz" };

describe("HOST", () => {
  it.each(["450 busy", "421 not now"])("S2 %s is a failed try", async (reply) => {
    const server = await startHosts({ "HOST#1": reply });
    const { status, stderr, cwd } = await ftpull([server.url("/a/x")], { tries: 2 });
    expect([status, filesIn(cwd)], stderr).toEqual([0, { x: "ax" }]);
    expect(visits(server)).toHaveLength(2);
    const script = [...anonymousLogin, "PWD", "CWD a", ...retrieval("x"), "QUIT"];
    expect(visits(server).at(-1)?.commands).toEqual(commandsOf(script));
  });

  describe("S2 a connection that is lost while HOST waits for its reply", () => {
    const hint = "hint: --no-host connects without naming the host\n";

    it.each([
      ["closes it", close, []],
      ["is silent", stall, ["-T", "1"]],
    ])("has a hint where the server %s", async (_claim, action, words) => {
      const server = await startHosts({ HOST: action });
      const { status, stderr } = await ftpull([...words, server.url("/a/x")], { tries: 2 });
      expect([status, stderr.split(hint).length], stderr).toEqual([4, 2]);
      const again = await ftpull(["-q", "--no-host", server.url("/a/x")]);
      expect(again).toMatchObject({ status: 0, stderr: "" });
    });
  });

  it.each(["530 log in first", "500 what?"])(
    "S2 a connection that is closed behind %s is followed by one without HOST",
    async (reply) => {
      const server = await startServer({ files, on: { HOST: [reply, close] } });
      const { status, stderr, cwd } = await ftpull(urlsOf(server), { tries: 2 });
      expect([status, filesIn(cwd)], stderr).toEqual([0, whole]);
      expect(visits(server).at(-1)?.commands[0]).toBe("USER anonymous");
    },
  );

  it("S2 M2 follows REIN", async () => {
    const server = await startHosts({ PWD: "502 no" });
    const { status, stderr, cwd } = await ftpull(urlsOf(server));
    expect([status, filesIn(cwd)], stderr).toEqual([0, whole]);
    const again = ["REIN", "HOST 127.0.0.1"];
    expect(server.sent("HOST", "REIN")).toEqual(["HOST 127.0.0.1", ...again, ...again]);
  });

  it("S2 M2 refused after REIN for now costs the session", async () => {
    const server = await startHosts({ PWD: "502 no", "HOST#2": "450 busy" });
    const { status, stderr, cwd } = await ftpull(urlsOf(server), { tries: 2 });
    expect([status, filesIn(cwd)], stderr).toEqual([0, whole]);
    expect(visits(server)).toHaveLength(2);
  });

  it("S2 isn't sent again to a server that refused it", async () => {
    const on = { HOST: "500 no", PWD: "502 no", REIN: "502 no" };
    const server = await startServer({ files, on });
    const { status, stderr, cwd } = await ftpull(urlsOf(server));
    expect([status, filesIn(cwd)], stderr).toEqual([0, whole]);
    expect([visits(server).length, server.sent("HOST").length]).toEqual([3, 1]);
  });
});

import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Gate, proceed, refuseData, reply229, until } from "../support/actions.ts";
import { deafPort } from "../support/deaf-port.ts";
import type { ServerOptions } from "../support/options.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

/** Fetches these paths of a server, to standard output. */
async function printed(options: ServerOptions, ...paths: string[]) {
  const server = await startServer({ files: { x: "text" }, ...options });
  const urls = paths.map((path) => server.url(path));
  return { ...(await run(["-t", "1", "-T", "5", "-O", "-", ...urls])), server };
}

const asked = ({ commands }: ScriptedServer): string[] =>
  commands.filter((line) => /^(EPSV|PASV|RETR|MLSD)/.test(line));

describe("P4 where the port that EPSV named can't be reached, PASV is asked in the same try", () => {
  test("on the same connection", async () => {
    const files = { x: "text", y: "y" };
    const { server, ...result } = await printed({ files, on: { EPSV: refuseData } }, "/x", "/y");
    expect(result).toMatchObject({ status: 0, stdout: "texty" });
    expect(asked(server)).toEqual(["EPSV", "PASV", "RETR x", "PASV", "RETR y"]);
    expect(server.connections).toHaveLength(1);
  });

  test("on the same connection, where the server says so by 425", async () => {
    const on = { "RETR#1": "425 can't open data connection" };
    const { server, ...result } = await printed({ on }, "/x");
    expect(result).toMatchObject({ status: 0, stdout: "text" });
    expect(asked(server)).toEqual(["EPSV", "RETR x", "PASV", "RETR x"]);
    expect(server.connections).toHaveLength(1);
  });

  test("where nothing answers at the port", async () => {
    const on = { EPSV: reply229(await deafPort()) };
    expect(await printed({ on }, "/x")).toMatchObject({ status: 0, stdout: "text" });
  });

  test("by a connection that is told a port by EPSV when another one has just given EPSV up", async () => {
    const [both, given] = [new Gate(), new Gate()];
    const server = await startServer({ files: { x: "x", y: "y" } });
    server.on("EPSV#1", [until(both.opened), refuseData]);
    server.on("EPSV#2", [() => both.open(), until(given.opened), refuseData]);
    server.on("PASV#1", [() => given.open(), proceed]);
    const result = await run(["-q", "-t", "1", "-j", "2", server.url("/x"), server.url("/y")]);
    expect(result).toMatchObject({ status: 0 });
    expect(readdirSync(result.cwd)).toEqual(["x", "y"]);
  });

  test("and fails where that port can't be reached, either", async () => {
    const on = { EPSV: refuseData, PASV: refuseData };
    const { server, status } = await printed({ on }, "/x");
    expect(status).not.toBe(0);
    expect(asked(server)).toEqual(["EPSV", "PASV", "RETR x"]);
  });
});

test("P4 over IPv6, which PASV doesn't know, EPSV is asked again in the next try", async () => {
  const server = await startServer({ files: { x: "text" }, host: "::1" });
  server.on("EPSV#1", refuseData);
  const words = ["-t", "2", "-O", "-", server.url("/x")];
  const result = await run(words);
  expect(result).toMatchObject({ status: 0, stdout: "text" });
  expect(asked(server)).toEqual(["EPSV", "EPSV", "RETR x"]);
});

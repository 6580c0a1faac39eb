import { expect, test } from "vitest";
import { refuseData } from "../support/actions.ts";
import { closedPort } from "../support/data-channel.ts";
import { run } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";

test("P4 where the port that EPSV named can't be reached, the next try asks PASV", async () => {
  const server = await startServer({ files: { x: "text" }, on: { EPSV: refuseData } });
  const result = await run(["-t", "2", "-O", "-", server.url("/x")]);
  expect(result).toMatchObject({ status: 0, stdout: "text" });
  expect(server.commands.filter((line) => /^(EPSV|PASV)$/.test(line))).toEqual(["EPSV", "PASV"]);
});

test("a server that can't be connected is tried again for the first document only", async () => {
  const port = await closedPort("127.0.0.1");
  const urls = ["x", "y", "z"].map((name) => `ftp://127.0.0.1:${port}/${name}`);
  const { status, stderr } = await run(["-t", "2", ...urls]);
  expect(status).toBe(4);
  const lines = stderr.split("\n").filter((line) => line.includes("cannot connect"));
  expect(lines.map((line) => [line.split(": ")[1], /trying again/.test(line)])).toEqual([
    [urls[0], true],
    ...urls.map((url) => [url, false]),
  ]);
});

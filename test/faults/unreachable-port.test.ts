import { expect, test } from "vitest";
import { refuseData } from "../support/actions.ts";
import { run } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";

test("P4 where the port that EPSV named can't be reached, the next try asks PASV", async () => {
  const server = await startServer({ files: { x: "text" }, on: { EPSV: refuseData } });
  const result = await run(["-t", "2", "-O", "-", server.url("/x")]);
  expect(result).toMatchObject({ status: 0, stdout: "text" });
  expect(server.commands.filter((line) => /^(EPSV|PASV)$/.test(line))).toEqual(["EPSV", "PASV"]);
});
